//! Reflection: the server tells what can be called, so that callers need no `.proto` file.

use tonic::service::Routes;
use tonic_reflection::pb::{v1, v1alpha};
use tonic_reflection::server::Builder;

use crate::grpc::DESCRIPTOR_SET;

/// The routes, and reflection on all of them and on the details of errors.
pub(super) fn added(routes: Routes, max_message: usize) -> Routes {
    let valid = "the descriptor sets were compiled with this program";
    let v1 = builder().build_v1().expect(valid);
    let v1alpha = builder().build_v1alpha().expect(valid);
    routes
        .add_service(v1.max_decoding_message_size(max_message))
        .add_service(v1alpha.max_decoding_message_size(max_message))
}

fn builder() -> Builder<'static> {
    Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(v1alpha::FILE_DESCRIPTOR_SET)
        .include_reflection_service(false)
}
