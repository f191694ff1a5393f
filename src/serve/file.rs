//! A file as the body of an answer, read piece by piece: it may be larger than the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc;

/// Bytes that are read at a time.
const PIECE: usize = 256 << 10;

/// A file that is open, with the length that it has now. What a run appends later is not sent.
pub struct OpenFile {
    file: File,
    length: u64,
}

impl OpenFile {
    pub fn open(path: &Path) -> io::Result<OpenFile> {
        // Opening a pipe would wait for its writer.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("not a file"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(OpenFile { file, length })
    }

    /// Starts to read; must be called within the runtime.
    pub(super) fn into_body(self) -> FileBody {
        let (sender, pieces) = mpsc::channel(1);
        let left = self.length;
        tokio::spawn(send_all(self, sender));
        FileBody { pieces, left }
    }

    /// The next piece; empty at the end.
    fn read(&mut self) -> io::Result<Bytes> {
        let mut piece = Vec::with_capacity(PIECE);
        let most = self.length.min(PIECE as u64);
        (&mut self.file).take(most).read_to_end(&mut piece)?;
        self.length -= piece.len() as u64;
        Ok(Bytes::from(piece))
    }
}

/// A slow client holds its connection, but none of the threads that read.
async fn send_all(mut open: OpenFile, sender: mpsc::Sender<io::Result<Bytes>>) {
    loop {
        let read = tokio::task::spawn_blocking(move || {
            let piece = open.read();
            (open, piece)
        });
        let Ok((same, piece)) = read.await else {
            return;
        };
        open = same;
        if matches!(&piece, Ok(bytes) if bytes.is_empty()) || sender.send(piece).await.is_err() {
            return;
        }
    }
}

pub(super) struct FileBody {
    pieces: mpsc::Receiver<io::Result<Bytes>>,
    left: u64,
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.pieces.poll_recv(context).map(|piece| {
            let piece = piece?;
            if let Ok(bytes) = &piece {
                self.left = self.left.saturating_sub(bytes.len() as u64);
            }
            Some(piece.map(Frame::data))
        })
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
