//! A server on a free port, and a client with verbs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use sudoku_service::config::{Admin, Config, Listen};
use sudoku_service::grid::Grid;
use sudoku_service::grpc::v1;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::rules;
use sudoku_service::server::Server;
use sudoku_service::workers::LongSearches;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};
use tonic_types::{ErrorInfo, StatusExt};

/// A puzzle that half the textbooks begin with.
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A hard puzzle: singles and locked candidates do not solve it.
pub(crate) const HARD: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// Long enough for anything that does not hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The address of a server that has none but a path.
const NO_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A running server and a client of it.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) client: SudokuServiceClient<Channel>,
    long_searches: watch::Receiver<LongSearches>,
    shutdown: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// A server with the slowest engine, on which a count takes its time.
    pub(crate) async fn start_slow(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_with(|config| {
            config.engine = "portable".parse().unwrap();
            change(config);
        })
        .await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_reached(change, async |listen| connect(listen.ip().unwrap()).await).await
    }

    /// A server that its client reaches in another way than by plain text over TCP.
    pub(crate) async fn start_reached(
        change: impl FnOnce(&mut Config),
        reach: impl AsyncFnOnce(&Listen) -> Channel,
    ) -> Self {
        let mut config = Config {
            listen: Listen::Ip(SocketAddr::from(([127, 0, 0, 1], 0))),
            admin: Admin::At(SocketAddr::from(([127, 0, 0, 1], 0))),
            ..Config::default()
        };
        change(&mut config);
        let server = Server::bind(config).await.unwrap();
        let listen = server.local_addr().clone();
        let admin = server.admin_addr();
        let long_searches = server.long_searches();
        let (shutdown, told) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = told.await;
        }));
        let client = SudokuServiceClient::new(reach(&listen).await);
        Self {
            address: listen.ip().unwrap_or(NO_ADDRESS),
            admin,
            client,
            long_searches,
            shutdown,
            running,
        }
    }

    /// Another connection to the server.
    pub(crate) async fn connect(&self) -> Channel {
        connect(self.address).await
    }

    pub(crate) async fn solve(&self, grid: &str) -> Result<v1::SolveResponse, Status> {
        self.solve_request(grid, false).await
    }

    pub(crate) async fn solve_request(
        &self,
        grid: &str,
        skip_uniqueness_check: bool,
    ) -> Result<v1::SolveResponse, Status> {
        let request = v1::SolveRequest {
            grid: grid.into(),
            skip_uniqueness_check,
        };
        let answer = self.client.clone().solve(request).await?.into_inner();
        judge(grid, &answer);
        Ok(answer)
    }

    pub(crate) async fn validate(
        &self,
        request: v1::ValidateRequest,
    ) -> Result<v1::ValidateResponse, Status> {
        Ok(self.client.clone().validate(request).await?.into_inner())
    }

    /// Waits until the long searches are as `condition` says.
    pub(crate) async fn until(
        &mut self,
        condition: impl FnMut(&LongSearches) -> bool,
    ) -> LongSearches {
        let seen = timeout(PATIENCE, self.long_searches.wait_for(condition)).await;
        let seen = seen.map(|long_searches| *long_searches.unwrap());
        seen.unwrap_or_else(|_| panic!("it stayed at {:?}", *self.long_searches.borrow()))
    }

    /// Shows that the server still answers.
    pub(crate) async fn assert_alive(&self) {
        assert_eq!(self.solve(PUZZLE).await.unwrap().solution, SOLUTION);
    }

    /// Begins to drain.
    pub(crate) fn begin_stop(self) -> JoinHandle<()> {
        self.shutdown.send(()).unwrap();
        self.running
    }

    /// Drains, and checks that the server ends.
    pub(crate) async fn stop(self) {
        let Self {
            client,
            shutdown,
            running,
            ..
        } = self;
        drop(client);
        shutdown.send(()).unwrap();
        ended(running).await;
    }
}

/// Waits for a server to end.
pub(crate) async fn ended(running: JoinHandle<()>) {
    timeout(PATIENCE, running).await.expect("it hangs").unwrap();
}

async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect().await.unwrap()
}

/// Every solution that comes back is one, and belongs to its grid.
pub(crate) fn judge(grid: &str, answer: &v1::SolveResponse) {
    let puzzle: Grid = grid.parse().unwrap();
    for solution in [&answer.solution, &answer.alternative_solution] {
        if !solution.is_empty() {
            let solution: Grid = solution.parse().unwrap();
            assert!(
                rules::is_solution_of(&solution, &puzzle),
                "{grid}: {solution}"
            );
        }
    }
    let has_solution = answer.status() == v1::SolveStatus::Solved;
    assert_eq!(has_solution, !answer.solution.is_empty(), "{grid}");
    let has_second = has_solution && answer.uniqueness() == v1::Uniqueness::Multiple;
    assert_eq!(
        has_second,
        !answer.alternative_solution.is_empty(),
        "{grid}"
    );
}

/// So many different puzzles: the well-known one with its digits renamed, and every
/// third with a given less, so that some have several solutions.
pub(crate) fn puzzles(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|index| {
        let renamed = |c: char| match c.to_digit(10) {
            Some(digit) => renaming(index, digit),
            None => c,
        };
        let mut puzzle: String = PUZZLE.chars().map(renamed).collect();
        if index % 3 == 2 {
            let given = puzzle
                .char_indices()
                .filter(|(_, c)| *c != '.')
                .nth(index % 30);
            let (place, _) = given.unwrap();
            puzzle.replace_range(place..=place, ".");
        }
        puzzle
    })
}

/// What `digit` is called in the renaming with number `index`.
fn renaming(index: usize, digit: u32) -> char {
    let mut names: Vec<char> = ('1'..='9').collect();
    let mut rest = index;
    for place in (1..9).rev() {
        names.swap(place, rest % (place + 1));
        rest /= place + 1;
    }
    names[digit as usize - 1]
}

/// The reason and metadata of a failed call.
pub(crate) fn error_info(status: &Status) -> ErrorInfo {
    let info = status.get_details_error_info().expect("an ErrorInfo");
    assert_eq!(info.domain, "sudoku.v1");
    info
}

/// The violated fields of a failed call, in order.
pub(crate) fn violated_fields(status: &Status) -> Vec<String> {
    let bad_request = status.get_details_bad_request().expect("a BadRequest");
    let violations = bad_request.field_violations.into_iter();
    violations.map(|violation| violation.field).collect()
}
