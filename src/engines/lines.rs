//! Reads lines from untrusted programs.

use std::io::{self, BufRead};

/// Reads the next line without its end into `line`, truncated to `longest` bytes.
/// False at the end of the input.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let (used, ended) = {
            let buffer = match input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = longest.saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            (part.len() + usize::from(end.is_some()), end.is_some())
        };
        input.consume(used);
        if ended {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length_and_ending_are_read_and_cut() {
        let mut input: &[u8] = b"one\r\n\nlonger than that\n\xff\xfe\nlast";
        let mut line = Vec::new();
        let mut seen = Vec::new();
        while read_line(&mut input, &mut line, 6).unwrap() {
            seen.push(line.clone());
        }
        let expected: [&[u8]; 5] = [b"one", b"", b"longer", b"\xff\xfe", b"last"];
        assert_eq!(seen, expected);
    }
}
