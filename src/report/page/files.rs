//! The section that links to the files of a run.

use std::path::Path;

use crate::report::data::ReportData;
use crate::report::svg::escape;

/// Files that others may want to read, with what they hold. Charts are linked where they are shown.
const FILES: [(&str, &str); 16] = [
    ("games.csv", "every game with its moves and scores"),
    ("games.pgn", "the games for any viewer"),
    ("games.pdn", "the games for any viewer"),
    ("standings.csv", "the standings"),
    ("pairings.csv", "the pairings"),
    ("trajectory.csv", "every iteration of the tuning"),
    ("parameters.csv", "the tuned parameters"),
    ("correlations.csv", "correlations of the parameters"),
    ("sweep.csv", "the points of the grid"),
    ("validation.csv", "the validation matches"),
    (
        "weights.toml",
        "the tuned weights, for a player of a config",
    ),
    ("config.toml", "the config, with every default written out"),
    ("manifest.json", "the facts of the run, for programs"),
    ("report.md", "the tables as Markdown"),
    (
        "latency.csv",
        "reactions of engines and late moves; differs from run to run",
    ),
    ("timings.csv", "how long it took; differs from run to run"),
];

/// Links to the files in the page's directory.
pub fn links(data: &ReportData, directory: &Path) -> String {
    let own = |path: &Path| path.canonicalize().ok() == directory.canonicalize().ok();
    let here = data.sources.iter().any(|source| own(&source.path));
    // A page elsewhere has only what was written with it.
    let shown = FILES
        .iter()
        .filter(|(name, _)| *name == "report.md" || here && directory.join(name).exists());
    let lines = shown
        .map(|(name, help)| format!("<li><a href=\"{name}\">{name}</a> {}</li>\n", escape(help)));
    let lines: String = lines.collect();
    format!(
        "<section id=\"files\" class=\"no-print\">\n<h2>Files</h2>\n<ul class=\"files\">\n{lines}</ul>\n</section>\n"
    )
}

/// A folder's name as part of an address.
pub fn address(name: &str) -> String {
    let mut address = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(byte));
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn folders_with_any_name_can_be_linked() {
        assert_eq!(address("validation-start"), "validation-start");
        assert_eq!(address("a b\"é"), "a%20b%22%C3%A9");
    }
}
