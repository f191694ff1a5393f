//! Accepts connections, and limits them: their number, the size of a request, and the time it may take.

use std::fmt;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{RawPathParams, RawQuery};
use axum::http::{Request as HttpRequest, Response, StatusCode, header};
use axum::routing::{MethodFilter, on};
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::routes::{Route, TABLES};
use super::{App, Guard, Refusal, Request, Settings};

/// Open connections; a browser uses at most six per site.
const MOST_CONNECTIONS: usize = 128;
/// Bytes of a request's body. A config is the largest.
const MOST_BODY: usize = 512 << 10;
/// Bytes of a request's head.
const MOST_HEAD: usize = 32 << 10;
/// The time to send the head; also how long an idle connection stays open.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The time to send the body.
const BODY_TIME: Duration = Duration::from_secs(15);
/// Threads of handlers.
const HANDLERS: usize = 8;
/// How often the stop flag is read.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// Why the server cannot start or continue.
#[derive(Debug)]
pub enum ServeError {
    Bind {
        address: SocketAddr,
        error: std::io::Error,
    },
    Runtime(std::io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Bind { address, error } => write!(
                f,
                "{address}: cannot listen: {error}; choose another port, or --port 0 for any free one"
            ),
            ServeError::Runtime(error) => write!(f, "the server cannot start: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// A server that listens already.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Arc<Guard>,
    app: Arc<App>,
}

impl Server {
    pub fn bind(settings: &Settings) -> Result<Server, ServeError> {
        let address = SocketAddr::new(settings.listen, settings.port);
        let failed = |error| ServeError::Bind { address, error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        Ok(Server {
            address: listener.local_addr().map_err(failed)?,
            listener,
            guard: Arc::new(Guard::new(settings.listen, settings.token.clone())),
            app: Arc::new(App::new(settings)),
        })
    }

    /// The address to open, with the token if there is one.
    pub fn url(&self) -> String {
        let token = self.guard.token();
        let query = token.map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{query}", self.address)
    }

    /// Serves until `stop` is true.
    pub fn run(self, stop: &dyn Fn() -> bool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(HANDLERS)
            .build()
            .map_err(ServeError::Runtime)?;
        let router = router(&self.app, &self.guard);
        let served = runtime.block_on(accept(self.listener, router, stop));
        self.app.close();
        // Handlers return soon, but the end does not wait for them.
        runtime.shutdown_background();
        served
    }
}

async fn accept(
    listener: TcpListener,
    router: Router,
    stop: &dyn Fn() -> bool,
) -> Result<(), ServeError> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Runtime)?;
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while !stop() {
        // An error of accept is one connection's, or too many open files: the next round is later.
        let stream = match timeout(STOP_CHECK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok((stream, _))) => stream,
            Ok(Err(_)) => {
                tokio::time::sleep(STOP_CHECK).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            refuse(stream);
            continue;
        };
        // Moves are small packets that should not wait for each other.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            // Whatever ends a connection is the client's affair.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .max_buf_size(MOST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .await;
            drop(place);
        });
    }
    Ok(())
}

/// Answers a connection above the limit, and closes it.
fn refuse(stream: tokio::net::TcpStream) {
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(
            b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
        );
    }
}

fn router(app: &Arc<App>, guard: &Arc<Guard>) -> Router {
    let mut router = Router::new();
    for route in TABLES.iter().copied().flatten() {
        let (app, guard) = (Arc::clone(app), Arc::clone(guard));
        let handler =
            move |params: RawPathParams, RawQuery(query): RawQuery, request: HttpRequest<Body>| {
                let params = params.iter();
                let params = params
                    .map(|(name, value)| (name.to_string(), value.to_string()))
                    .collect();
                answer(
                    route,
                    Arc::clone(&app),
                    Arc::clone(&guard),
                    params,
                    query,
                    request,
                )
            };
        let method = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::GET);
        router = router.route(route.path, on(method, handler));
    }
    let (wrong, absent) = (Arc::clone(guard), Arc::clone(guard));
    router
        .method_not_allowed_fallback(move |request: HttpRequest<Body>| {
            refused(
                Arc::clone(&wrong),
                request,
                Refusal::new(405, "this address does not accept the method"),
            )
        })
        .fallback(move |request: HttpRequest<Body>| {
            refused(
                Arc::clone(&absent),
                request,
                Refusal::not_found("no such page"),
            )
        })
}

/// The refusal, unless the guard has another.
async fn refused(
    guard: Arc<Guard>,
    request: HttpRequest<Body>,
    refusal: Refusal,
) -> Response<Body> {
    let (head, _) = request.into_parts();
    guard.check(&head).err().unwrap_or(refusal).into_response()
}

async fn answer(
    route: &'static Route,
    app: Arc<App>,
    guard: Arc<Guard>,
    params: Vec<(String, String)>,
    query: Option<String>,
    request: HttpRequest<Body>,
) -> Response<Body> {
    let (head, body) = request.into_parts();
    if let Some(cookie) = guard.admits(&head) {
        return admitted(head.uri.path(), cookie);
    }
    if let Err(refusal) = guard.check(&head) {
        return refusal.into_response();
    }
    let body = match read_body(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal.into_response(),
    };
    let request = Request::new(app, params, query.as_deref().unwrap_or(""), body);
    let handled = tokio::task::spawn_blocking(move || (route.run)(&request)).await;
    match handled {
        Ok(Ok(reply)) => reply.into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => Refusal::internal("the handler failed: a bug, please report it").into_response(),
    }
}

/// Sends the browser to the same page without the token in its address, which others might see.
fn admitted(path: &str, cookie: String) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    for (name, value) in [
        (header::LOCATION, path.to_string()),
        (header::SET_COOKIE, cookie),
    ] {
        if let Ok(value) = value.try_into() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

async fn read_body(body: Body) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::new(413, format!("the body is larger than {MOST_BODY} bytes"));
    let declared = hyper::body::Body::size_hint(&body).lower();
    if declared > MOST_BODY as u64 {
        return Err(too_large());
    }
    match timeout(BODY_TIME, axum::body::to_bytes(body, MOST_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Refusal::new(408, "the body did not arrive in time")),
    }
}
