//! Checks that the folders of `src/` import only from those above them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every module with its allowed imports, in the order of an experiment's path.
const HOUSE: &[(&str, &[&str])] = &[
    ("games", &[]),
    ("eval", &["games"]),
    ("search", &["games", "eval"]),
    ("engines", &["games", "eval", "search"]),
    ("stats", &[]),
    ("play", &["games", "eval", "search", "engines", "stats"]),
    ("record", &["games", "stats"]),
    (
        "tune",
        &[
            "games", "eval", "search", "engines", "stats", "play", "record",
        ],
    ),
    ("report", &["stats", "record"]),
    (
        "config",
        &[
            "games", "eval", "search", "engines", "stats", "play", "record", "tune", "report",
        ],
    ),
    (
        "cluster",
        &[
            "games", "eval", "search", "engines", "stats", "play", "record", "tune", "report",
            "config",
        ],
    ),
    (
        "serve",
        &[
            "games", "eval", "search", "engines", "stats", "play", "record", "tune", "report",
            "config", "cluster",
        ],
    ),
    (
        "commands",
        &[
            "games", "eval", "search", "engines", "stats", "play", "record", "tune", "report",
            "config", "cluster", "serve",
        ],
    ),
    ("cli", &["commands"]),
];

/// Allowed only in `commands` and `cli`.
const FOR_COMMANDS_ONLY: &[&str] = &["println!", "eprintln!", "print!(", "process::exit"];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The modules that a line of code imports by `crate::`, in `use` lists and paths.
fn imported_modules(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            // Only the first name of each entry matters; nested lists are separate entries.
            let mut depth = 0;
            let mut entry = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => modules.push(std::mem::take(&mut entry)),
                    other if depth == 0 => entry.push(other),
                    _ => {}
                }
            }
            modules.push(entry);
        } else {
            modules.push(rest.to_string());
        }
    }
    let first_name = |text: &String| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    modules
        .iter()
        .map(first_name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// The file without its comments.
fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

fn module_of(source: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(source).unwrap();
    let first = inner
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

/// Exported macros with the modules that define them: `#[macro_export]` puts their names at the
/// crate root, but importing one is importing from its module.
fn exported_macros(source: &Path) -> HashMap<String, String> {
    let mut macros = HashMap::new();
    for file in rust_files(source) {
        let code = code_of(&file);
        for after in code.split("#[macro_export]").skip(1) {
            let name = after.split("macro_rules!").nth(1).unwrap_or("");
            let name = name.split_whitespace().next().unwrap_or("");
            macros.insert(name.to_string(), module_of(source, &file));
        }
    }
    macros
}

#[test]
fn every_module_imports_only_from_those_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let macros = exported_macros(&source);
    let mut seen = 0;
    for file in rust_files(&source) {
        let module = module_of(&source, &file);
        if matches!(module.as_str(), "lib" | "main") {
            continue;
        }
        let Some((_, allowed)) = HOUSE.iter().find(|(name, _)| *name == module) else {
            panic!(
                "{}: `{module}` is not in the table of folders",
                file.display()
            );
        };
        for imported in imported_modules(&code_of(&file)) {
            seen += 1;
            let imported = macros.get(&imported).unwrap_or(&imported);
            assert!(
                *imported == module || allowed.contains(&imported.as_str()),
                "{}: `{module}` imports `{imported}`, which is not above it",
                file.display()
            );
        }
    }
    assert!(
        seen > 50,
        "only {seen} imports found: the test reads the wrong lines"
    );
}

#[test]
fn folders_import_only_from_folders_above_them_in_the_table() {
    for (index, (module, allowed)) in HOUSE.iter().enumerate() {
        for import in *allowed {
            let above = HOUSE[..index].iter().any(|(name, _)| name == import);
            assert!(above, "`{module}` may import `{import}`, which is below it");
        }
    }
}

#[test]
fn only_commands_print_and_exit() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in rust_files(&source) {
        let module = module_of(&source, &file);
        if matches!(module.as_str(), "commands" | "cli" | "main") {
            continue;
        }
        let code = code_of(&file);
        for forbidden in FOR_COMMANDS_ONLY {
            assert!(
                !code.contains(forbidden),
                "{}: {forbidden} belongs in commands",
                file.display()
            );
        }
    }
}

#[test]
fn an_upward_import_would_be_noticed() {
    let found = imported_modules(
        "use crate::{games::{Game, Side}, config};\nlet x = crate::report::draw();",
    );
    assert_eq!(found, ["games", "config", "report"]);
}
