// The details of a failed call: a google.rpc.Status in its trailer. Only what the service sends is described here.
'use strict';
const protobuf = require('protobufjs');

const { root } = protobuf.parse(`
  syntax = "proto3";
  package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message BadRequest {
    message FieldViolation { string field = 1; string description = 2; string reason = 3; }
    repeated FieldViolation field_violations = 1;
  }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
`);

// { message, reason, metadata, violations, retryDelay in seconds }, each undefined or empty if it was not sent.
function details(error) {
  // The message is taken from here: in the header it is percent-encoded, and grpc-js leaves some of that, such as %3F for a question mark.
  const found = { message: error.details, reason: undefined, metadata: {}, violations: [], retryDelay: undefined };
  for (const trailer of error.metadata?.get('grpc-status-details-bin') ?? []) {
    const status = root.lookupType('google.rpc.Status').decode(trailer);
    found.message = status.message;
    for (const { typeUrl, value } of status.details) {
      const name = typeUrl.split('/').pop();
      const detail = ['ErrorInfo', 'BadRequest', 'RetryInfo'].includes(name.split('.').pop()) && root.lookupType(name).decode(value);
      if (name === 'google.rpc.ErrorInfo') Object.assign(found, { reason: detail.reason, metadata: detail.metadata });
      if (name === 'google.rpc.BadRequest') found.violations = detail.fieldViolations;
      if (name === 'google.rpc.RetryInfo') found.retryDelay = Number(detail.retryDelay.seconds) + detail.retryDelay.nanos / 1e9;
    }
  }
  return found;
}

module.exports = { details };
