//! Opens files of openings, compressed or not: `.gz`, `.zst`, and a `.zip` with one file in it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Formats of openings, by extension.
const FORMATS: [&str; 5] = ["epd", "fen", "pgn", "pdn", "bin"];

/// A file of openings.
pub struct BookFile {
    /// The format: an extension without that of the compression; empty if unknown.
    pub format: String,
    pub content: Box<dyn BufRead>,
}

/// Whether the name is that of a file of openings, or of something compressed.
pub fn is_known(path: &Path) -> bool {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    ["gz", "zst", "zip"].contains(&extension.as_str()) || FORMATS.contains(&extension.as_str())
}

/// Opens a file. Contents are decompressed while they are read; those of a `.zip` all at once.
pub fn open(path: &Path) -> io::Result<BookFile> {
    let extension = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        extension.to_string_lossy().to_lowercase()
    };
    let file = File::open(path)?;
    let inner = path.file_stem().map(Path::new).map(extension);
    let inner = inner.unwrap_or_default();
    let file = BufReader::new(file);
    Ok(match extension(path).as_str() {
        "gz" => BookFile {
            format: inner,
            content: Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file))),
        },
        "zst" => BookFile {
            format: inner,
            content: Box::new(BufReader::new(Frames(Some(
                StreamingDecoder::new(file).map_err(io::Error::other)?,
            )))),
        },
        "zip" => unzip(file)?,
        other => BookFile {
            format: other.to_string(),
            content: Box::new(file),
        },
    })
}

/// All frames of a `.zst` file: tools that compress in parallel write many.
struct Frames(Option<StreamingDecoder<BufReader<File>, FrameDecoder>>);

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(frame) = &mut self.0 {
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(frame) = self.0.take() else { break };
            let mut rest = frame.into_inner();
            if !rest.fill_buf()?.is_empty() {
                self.0 = Some(StreamingDecoder::new(rest).map_err(io::Error::other)?);
            }
        }
        Ok(0)
    }
}

/// Larger contents are considered a decompression bomb.
const MOST_BYTES: u64 = 4 << 30;

/// The only file of openings in an archive.
fn unzip(file: BufReader<File>) -> io::Result<BookFile> {
    let mut archive = zip::ZipArchive::new(file).map_err(io::Error::other)?;
    let format_of = |name: &str| {
        let extension = Path::new(name)
            .extension()?
            .to_string_lossy()
            .to_lowercase();
        FORMATS.contains(&extension.as_str()).then_some(extension)
    };
    let names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .collect();
    let found: Vec<(&String, String)> = names
        .iter()
        .filter_map(|name| Some((name, format_of(name)?)))
        .collect();
    let [(name, format)] = &found[..] else {
        return Err(io::Error::other(format!(
            "expected one file of openings ({}) in the archive, found {}",
            FORMATS.join(", "),
            found.len()
        )));
    };
    let mut bytes = Vec::new();
    let entry = archive.by_name(name).map_err(io::Error::other)?;
    entry.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(BookFile {
        format: format.clone(),
        content: Box::new(Cursor::new(bytes)),
    })
}
