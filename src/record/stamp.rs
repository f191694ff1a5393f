//! The size and checksum of some bytes.

use std::fmt;
use std::str::FromStr;

/// Size and CRC-32 of bytes, written `412:9f3a11c0`. CRC-32 finds every error of up to three bits in a
/// pair of games, and misses one random error in 4 billion. It is no protection against forgery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    pub bytes: u64,
    pub crc: u32,
}

impl Stamp {
    pub fn of(bytes: &[u8]) -> Stamp {
        Stamp {
            bytes: bytes.len() as u64,
            crc: crc32fast::hash(bytes),
        }
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:08x}", self.bytes, self.crc)
    }
}

/// Not a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoStamp;

impl FromStr for Stamp {
    type Err = NoStamp;

    /// Strict: only the text that [`Stamp`] writes, so that a changed letter cannot pass.
    fn from_str(text: &str) -> Result<Stamp, NoStamp> {
        let (bytes, crc) = text.split_once(':').ok_or(NoStamp)?;
        let stamp = Stamp {
            bytes: bytes.parse().map_err(|_| NoStamp)?,
            crc: u32::from_str_radix(crc, 16).map_err(|_| NoStamp)?,
        };
        if stamp.to_string() == text {
            Ok(stamp)
        } else {
            Err(NoStamp)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_the_usual_crc_and_reads_only_as_written() {
        // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
        let stamp = Stamp::of(b"123456789");
        assert_eq!(stamp.crc, 0xcbf4_3926);
        assert_eq!(stamp.to_string(), "9:cbf43926");
        assert_eq!("9:cbf43926".parse(), Ok(stamp));
        for other in [
            "9:CBF43926",
            "09:cbf43926",
            "+9:cbf43926",
            "9:bf43926",
            "9",
            "",
        ] {
            assert_eq!(other.parse::<Stamp>(), Err(NoStamp), "{other}");
        }
    }
}
