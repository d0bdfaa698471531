"""Calls each method once with grpcio and prints its messages as JSON.

    grpcio_methods.py [--ca FILE] ADDRESS REQUESTS

REQUESTS is JSON: for each method the messages to send.
"""
import argparse, json, pathlib, sys
import grpc
from google.protobuf import json_format

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "proto"), str(ROOT / "examples/clients/python")]
import client  # the example: its channel is what is tried here

SECONDS = 10
# A name to call the server by, which the path of a Unix socket cannot be.
OVER_UNIX_SOCKET = ("grpc.default_authority", "localhost")


def answers(sudoku, method, requests):
    described = client.messages.DESCRIPTOR.services_by_name["SudokuService"].methods_by_name[method]
    sent = [json_format.ParseDict(request, getattr(client.messages, described.input_type.name)()) for request in requests]
    got = getattr(sudoku, method)(iter(sent) if described.client_streaming else sent[0], timeout=SECONDS)
    for message in got if described.server_streaming else [got]:
        yield json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ca", type=pathlib.Path)
    parser.add_argument("address")
    parser.add_argument("requests", type=json.loads)
    arguments = parser.parse_args()
    if arguments.address.startswith("unix:"):
        client.OPTIONS.append(OVER_UNIX_SOCKET)
    with client.channel(arguments.address, arguments.ca) as channel:
        sudoku = client.services.SudokuServiceStub(channel)
        print(json.dumps({method: list(answers(sudoku, method, requests)) for method, requests in arguments.requests.items()}))


if __name__ == "__main__":
    main()
