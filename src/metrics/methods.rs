//! The methods that this server has.

use crate::grpc::SERVICE_NAME;

/// A method, as its labels tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// The service.
    pub service: &'static str,
    /// The name within the service.
    pub name: &'static str,
    /// `unary`, `server_stream` or `bidi_stream`.
    pub kind: &'static str,
}

const HEALTH: &str = "grpc.health.v1.Health";
const REFLECTION: &str = "grpc.reflection.v1.ServerReflection";
const REFLECTION_ALPHA: &str = "grpc.reflection.v1alpha.ServerReflection";

/// The methods that this server has, those that are called most first, and at the end
/// what stands for all others: paths that callers think up must not make new series.
pub const METHODS: [Method; 11] = [
    method(SERVICE_NAME, "Solve", "unary"),
    method(SERVICE_NAME, "Validate", "unary"),
    method(SERVICE_NAME, "BatchSolve", "unary"),
    method(SERVICE_NAME, "StreamSolve", "bidi_stream"),
    method(SERVICE_NAME, "CountSolutions", "unary"),
    method(SERVICE_NAME, "EnumerateSolutions", "server_stream"),
    method(HEALTH, "Check", "unary"),
    method(HEALTH, "Watch", "server_stream"),
    method(REFLECTION, "ServerReflectionInfo", "bidi_stream"),
    method(REFLECTION_ALPHA, "ServerReflectionInfo", "bidi_stream"),
    method("unknown", "unknown", "unknown"),
];

const fn method(service: &'static str, name: &'static str, kind: &'static str) -> Method {
    Method {
        service,
        name,
        kind,
    }
}

/// The number of the method that a path leads to.
pub(super) fn number(path: &str) -> usize {
    let unknown = METHODS.len() - 1;
    let Some((service, name)) = path.strip_prefix('/').and_then(|p| p.split_once('/')) else {
        return unknown;
    };
    let known = METHODS[..unknown].iter();
    let mut named = known.map(|method| method.name == name && method.service == service);
    named.position(|found| found).unwrap_or(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grpc::DESCRIPTOR_SET;
    use prost::Message;
    use prost_types::FileDescriptorSet;

    #[test]
    fn a_path_leads_to_its_method_and_any_other_to_the_unknown() {
        for (place, method) in METHODS[..10].iter().enumerate() {
            assert_eq!(
                number(&format!("/{}/{}", method.service, method.name)),
                place
            );
        }
        for path in [
            "",
            "/",
            "/Solve",
            "/unknown/unknown",
            "/a/b/c",
            "sudoku.v1.SudokuService/Solve",
        ] {
            assert_eq!(number(path), 10, "{path}");
        }
    }

    #[test]
    fn every_method_of_every_service_is_listed_with_its_kind() {
        let sets = [
            DESCRIPTOR_SET,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let mut methods = 0;
        for set in sets {
            for file in FileDescriptorSet::decode(set)
                .expect("a descriptor set")
                .file
            {
                for service in &file.service {
                    let full_name = format!("{}.{}", file.package(), service.name());
                    for method in &service.method {
                        let found = METHODS[number(&format!("/{full_name}/{}", method.name()))];
                        let kind = match (method.client_streaming(), method.server_streaming()) {
                            (false, false) => "unary",
                            (false, true) => "server_stream",
                            (true, false) => "client_stream",
                            (true, true) => "bidi_stream",
                        };
                        assert_eq!((found.name, found.kind), (method.name(), kind));
                        methods += 1;
                    }
                }
            }
        }
        assert_eq!(methods, METHODS.len() - 1);
    }
}
