//! The pages and their files, all part of the program.

use super::Route;
use crate::serve::{Refusal, Reply, Request};

pub const ROUTES: &[Route] = &[
    Route::get("/", page),
    Route::get("/{page}", page),
    Route::get("/assets/{name}", asset),
];

/// A page: one shell, filled by the module that `page/app.js` names for the address.
struct Page {
    path: &'static str,
    title: &'static str,
    in_navigation: bool,
}

const PAGES: &[Page] = &[
    Page {
        path: "play",
        title: "Play",
        in_navigation: true,
    },
    Page {
        path: "watch",
        title: "Watch",
        in_navigation: true,
    },
    Page {
        path: "runs",
        title: "Runs",
        in_navigation: true,
    },
    Page {
        path: "compare",
        title: "Compare",
        in_navigation: true,
    },
    Page {
        path: "run",
        title: "Run",
        in_navigation: false,
    },
    Page {
        path: "start",
        title: "New run",
        in_navigation: false,
    },
];

struct Asset {
    name: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[
            // The board is that of a report's viewer.
            Asset { name: "board.js", text: include_str!("../../report/page/board.js") },
            Asset { name: "board.css", text: include_str!("../../report/page/board.css") },
            $(Asset { name: $name, text: include_str!(concat!("../page/", $name)) },)*
        ]
    };
}

const ASSETS: &[Asset] = assets![
    "app.js",
    "app.css",
    "chart.js",
    "compare.js",
    "form.js",
    "kit.js",
    "newgame.js",
    "play.js",
    "play.css",
    "run.js",
    "runs.css",
    "runs.js",
    "start.js",
    "watch.js",
    "why.js"
];

const SHELL: &str = include_str!("../page/index.html");
/// The same pieces as in a report.
const PIECES: &str = include_str!("../../report/page/pieces.svg");

fn page(request: &Request) -> Result<Reply, Refusal> {
    let path = match request.param("page") {
        "" => "play",
        other => other,
    };
    let page = PAGES
        .iter()
        .find(|page| page.path == path)
        .ok_or_else(|| Refusal::not_found("no such page"))?;
    let links: String = PAGES
        .iter()
        .filter(|other| other.in_navigation)
        .map(|other| {
            let here = if other.path == page.path {
                " aria-current=\"page\""
            } else {
                ""
            };
            format!("<a href=\"/{}\"{here}>{}</a>\n", other.path, other.title)
        })
        .collect();
    let html = SHELL
        .replace("{{title}}", page.title)
        .replace("{{links}}", &links)
        .replace("{{pieces}}", PIECES)
        .replace("{{version}}", env!("CARGO_PKG_VERSION"));
    Ok(Reply::new("text/html; charset=utf-8", html))
}

fn asset(request: &Request) -> Result<Reply, Refusal> {
    let name = request.param("name");
    let asset = ASSETS
        .iter()
        .find(|asset| asset.name == name)
        .ok_or_else(|| Refusal::not_found("no such file"))?;
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Ok(Reply::new(kind, asset.text))
}
