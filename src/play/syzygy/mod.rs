//! Syzygy endgame tables for adjudication: wins, draws and losses of chess positions with few men
//! (`.rtbw` files; distances are not read). Written from the description of the format; every file is
//! measured when it is opened, so that a truncated one is an error and not a wrong result.

mod decode;
mod encode;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use cozy_chess::{Color, Piece};

use crate::games::chess::{Position, squares};
use crate::games::{AnyPosition, GameRules, chess};
use table::Table;

/// Tables of up to this many men exist.
pub const MOST_MEN: usize = 7;

/// The result of a position with the best play of both sides, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    Loss = -2,
    /// A loss that the fifty-move rule saves.
    BlessedLoss = -1,
    Draw = 0,
    /// A win that the fifty-move rule spoils.
    CursedWin = 1,
    Win = 2,
}

impl Wdl {
    pub(self) const fn from_byte(value: u8) -> Option<Wdl> {
        Some(match value {
            0 => Wdl::Loss,
            1 => Wdl::BlessedLoss,
            2 => Wdl::Draw,
            3 => Wdl::CursedWin,
            4 => Wdl::Win,
            _ => return None,
        })
    }

    /// For the other side.
    pub const fn negated(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// Why a table has no answer. Each names its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    Missing { folder: PathBuf, names: Vec<String> },
    Unreadable { path: PathBuf, message: String },
    Damaged { path: PathBuf, message: String },
}

impl TableError {
    fn unreadable(path: &Path, error: &io::Error) -> TableError {
        TableError::Unreadable {
            path: path.to_path_buf(),
            message: error.to_string(),
        }
    }

    fn damaged(path: &Path, message: impl Into<String>) -> TableError {
        TableError::Damaged {
            path: path.to_path_buf(),
            message: message.into(),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Missing { folder, names } => {
                const SHOWN: usize = 3;
                let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>();
                write!(f, "{}: no {}", folder.display(), shown.join(", "))?;
                match names.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more tables"),
                }
            }
            TableError::Unreadable { path, message } => {
                write!(f, "{}: cannot be read: {message}", path.display())
            }
            TableError::Damaged { path, message } => {
                write!(f, "{}: damaged table: {message}", path.display())
            }
        }
    }
}

impl std::error::Error for TableError {}

/// Men of one side without the king, strongest first: queens, rooks, bishops, knights, pawns.
type Side = [u8; 5];

const LETTERS: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];
const PIECES: [Piece; 5] = [
    Piece::Queen,
    Piece::Rook,
    Piece::Bishop,
    Piece::Knight,
    Piece::Pawn,
];

/// The tables of a folder, all of those up to a number of men.
#[derive(Debug)]
pub struct Tables {
    /// By the men of the side that the file names first, and of the other.
    tables: BTreeMap<[Side; 2], Table>,
    most_men: usize,
}

impl Tables {
    /// Opens the tables of a folder with up to `most_men` men, kings included; `None`: all up to the
    /// largest file there. Fails if one is missing or damaged.
    pub fn open(folder: &Path, most_men: Option<usize>) -> Result<Tables, TableError> {
        let entries = folder
            .read_dir()
            .map_err(|error| TableError::unreadable(folder, &error))?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let sizes = names.filter_map(|name| {
            let name = name.to_string_lossy().into_owned();
            let men = name.strip_suffix(".rtbw")?.split_once('v')?;
            Some(men.0.len() + men.1.len())
        });
        let largest = sizes.max().unwrap_or(0);
        let most_men = most_men.unwrap_or(largest).clamp(3, MOST_MEN);
        let wanted = materials(most_men);
        let path = |sides: &[Side; 2]| folder.join(format!("{}.rtbw", name_of(sides)));
        let missing: Vec<String> = wanted
            .iter()
            .filter(|sides| !path(sides).is_file())
            .map(|sides| format!("{}.rtbw", name_of(sides)))
            .collect();
        if !missing.is_empty() {
            return Err(TableError::Missing {
                folder: folder.to_path_buf(),
                names: missing,
            });
        }
        let mut tables = BTreeMap::new();
        for sides in wanted {
            tables.insert(sides, Table::open(&path(&sides), &sides)?);
        }
        Ok(Tables { tables, most_men })
    }

    pub fn most_men(&self) -> usize {
        self.most_men
    }

    pub fn count(&self) -> usize {
        self.tables.len()
    }

    /// The result of a chess position, if the tables hold it: few men, and no castling rights. Exact
    /// under the fifty-move rule if the last move was a capture or a pawn's.
    pub fn probe(&self, position: &dyn AnyPosition) -> Result<Option<Wdl>, TableError> {
        let any = position.as_any();
        if let Some(position) = any.downcast_ref::<chess::Chess>() {
            self.probe_position(position)
        } else if let Some(position) = any.downcast_ref::<chess::Chess960>() {
            self.probe_position(position)
        } else {
            Ok(None)
        }
    }

    fn probe_position<const FRC: bool>(
        &self,
        position: &Position<FRC>,
    ) -> Result<Option<Wdl>, TableError>
    where
        Position<FRC>: GameRules<Move = cozy_chess::Move>,
    {
        let board = position.board();
        let castles = [Color::White, Color::Black]
            .into_iter()
            .any(|colour| !board.castling_rooks(colour).is_empty());
        if castles || board.occupied().len() as usize > self.most_men {
            return Ok(None);
        }
        self.search(position).map(Some)
    }

    /// Tables leave out what a capture decides, and know no en passant: captures are searched.
    fn search<const FRC: bool>(&self, position: &Position<FRC>) -> Result<Wdl, TableError>
    where
        Position<FRC>: GameRules<Move = cozy_chess::Move>,
    {
        let mut moves = Vec::new();
        position.for_each_move(|mv| moves.push(mv));
        let mut best: Option<Wdl> = None;
        let mut captures = 0;
        for mv in &moves {
            if !position.is_capture(*mv) {
                continue;
            }
            captures += 1;
            let mut next = position.clone();
            GameRules::play(&mut next, *mv);
            let value = self.search(&next)?.negated();
            best = best.max(Some(value));
            if value == Wdl::Win {
                return Ok(value);
            }
        }
        match best {
            // Nothing but captures: the table has no other move to know of.
            Some(best) if captures == moves.len() => Ok(best),
            best => Ok(self.look_up(position)?.max(best.unwrap_or(Wdl::Loss))),
        }
    }

    /// What the table of the position's men says.
    fn look_up<const FRC: bool>(&self, position: &Position<FRC>) -> Result<Wdl, TableError> {
        let board = position.board();
        let side = |colour| PIECES.map(|piece| board.colored_pieces(colour, piece).len() as u8);
        let (white, black) = (side(Color::White), side(Color::Black));
        if white == Side::default() && black == Side::default() {
            return Ok(Wdl::Draw);
        }
        let is_flipped = !self.tables.contains_key(&[white, black]);
        let key = if is_flipped {
            [black, white]
        } else {
            [white, black]
        };
        let Some(table) = self.tables.get(&key) else {
            // All materials up to `most_men` were found when the tables were opened.
            return Err(TableError::Missing {
                folder: PathBuf::new(),
                names: vec![name_of(&key)],
            });
        };
        let mut men = Vec::with_capacity(MOST_MEN);
        for square in squares(board.occupied()) {
            if let (Some(piece), Some(colour)) = (board.piece_on(square), board.color_on(square)) {
                men.push((square as usize, piece as u8 + 1 + 8 * colour as u8));
            }
        }
        let black_moves = board.side_to_move() == Color::Black;
        table.probe(&men, black_moves, is_flipped)
    }
}

/// The name of a table without its extension: `KQPvKR`.
fn name_of(sides: &[Side; 2]) -> String {
    let side = |counts: &Side| {
        let men = counts.iter().zip(LETTERS);
        let men: String = men
            .map(|(count, letter)| letter.to_string().repeat(usize::from(*count)))
            .collect();
        format!("K{men}")
    };
    format!("{}v{}", side(&sides[0]), side(&sides[1]))
}

/// All materials of 3 to `most_men` men, each once, the stronger side first as files are named.
fn materials(most_men: usize) -> Vec<[Side; 2]> {
    let mut sides = Vec::new();
    add_sides(&mut Side::default(), 0, most_men - 2, &mut sides);
    let men = |side: &Side| -> usize { side.iter().map(|count| usize::from(*count)).sum() };
    let mut found = Vec::new();
    for first in &sides {
        for second in &sides {
            let (one, two) = (men(first), men(second));
            // More men first, and of equal numbers the stronger ones.
            let is_first = one > two || one == two && first >= second;
            if is_first && one > 0 && one + two + 2 <= most_men {
                found.push([*first, *second]);
            }
        }
    }
    found
}

fn add_sides(side: &mut Side, from: usize, left: usize, sides: &mut Vec<Side>) {
    if from == side.len() {
        sides.push(*side);
        return;
    }
    for count in 0..=left {
        side[from] = count as u8;
        add_sides(side, from + 1, left - count, sides);
    }
    side[from] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_tables_as_published() {
        // 5, 35 and 145 tables of up to 3, 4 and 5 men; 510 and 1,511 with 6 and 7.
        let counts: Vec<usize> = (3..=7).map(|men| materials(men).len()).collect();
        assert_eq!(counts, [5, 35, 145, 510, 1511]);
        let names: Vec<String> = materials(4).iter().map(name_of).collect();
        for name in ["KQvK", "KRvKB", "KPvKP", "KQPvK", "KNNvK", "KQvKP"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
