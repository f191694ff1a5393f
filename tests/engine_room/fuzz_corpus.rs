//! Replays the stored corpus of the fuzz targets.

#[path = "../../fuzz/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn no_file_of_the_corpus_makes_its_target_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::TARGETS {
        let folder = corpus.join(name);
        let mut replayed = 0;
        for entry in fs::read_dir(&folder).expect("a corpus folder") {
            let path = entry.expect("a file").path();
            // Shown with the failure.
            println!("{}", path.display());
            target(&fs::read(&path).expect("a readable file"));
            replayed += 1;
        }
        assert!(replayed > 0, "{} is empty", folder.display());
    }
}
