//! A term's row: the only place for its name, help, default, range and group. Configs, tuners,
//! charts and `sparring list terms` are derived from it.

/// One named quantity of a position, or one parameter of a preset.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub name: &'static str,
    /// Terms that are listed, switched and tuned together.
    pub group: &'static str,
    pub help: &'static str,
    pub role: Role,
    /// In units (centipawns, points); its shape is the term's shape.
    pub default: TermDefault,
    /// The minimum and maximum weight, in units.
    pub range: (f64, f64),
}

/// Whether a linear fit may change the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Count times weight: a linear fit may change it.
    Linear,
    /// Non-linear: read by the evaluator itself.
    Parameter,
}

#[derive(Clone, Copy, Debug)]
pub enum TermDefault {
    Number(f64),
    /// One weight for the opening, one for the ending.
    Tapered(f64, f64),
    /// One weight per value of something counted from 0, such as a rank or a distance.
    List(&'static [f64]),
    /// The same, each with an opening and an ending value.
    TaperedList(&'static [(f64, f64)]),
    /// Piece-square table (PST): one weight per square, from white's view, the eighth rank first.
    Squares(&'static [i16; 64]),
    /// One table for the opening, one for the ending.
    TaperedSquares(&'static [i16; 64], &'static [i16; 64]),
}

/// How many numbers a term has, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermShape {
    Number,
    List(usize),
    /// 8 rows of 8.
    Squares,
}

impl TermShape {
    pub const fn slots(self) -> usize {
        match self {
            TermShape::Number => 1,
            TermShape::List(length) => length,
            TermShape::Squares => 64,
        }
    }
}

impl Term {
    pub const fn linear(
        name: &'static str,
        group: &'static str,
        default: TermDefault,
        range: (f64, f64),
        help: &'static str,
    ) -> Term {
        Term {
            name,
            group,
            help,
            role: Role::Linear,
            default,
            range,
        }
    }

    pub const fn parameter(
        name: &'static str,
        group: &'static str,
        default: TermDefault,
        range: (f64, f64),
        help: &'static str,
    ) -> Term {
        Term {
            name,
            group,
            help,
            role: Role::Parameter,
            default,
            range,
        }
    }

    /// The default of the slot number `index` of this term, in units: opening and ending.
    pub const fn default_of(&self, index: usize) -> (f64, f64) {
        let flat = match self.default {
            TermDefault::Number(value) => value,
            TermDefault::Tapered(opening, ending) => return (opening, ending),
            TermDefault::List(values) => values[index],
            TermDefault::TaperedList(values) => return values[index],
            TermDefault::Squares(table) => table[index] as f64,
            TermDefault::TaperedSquares(opening, ending) => {
                return (opening[index] as f64, ending[index] as f64);
            }
        };
        (flat, flat)
    }

    /// Whether the term is tapered: separate weights for opening and ending.
    pub const fn is_tapered(&self) -> bool {
        matches!(
            self.default,
            TermDefault::Tapered(..)
                | TermDefault::TaperedList(_)
                | TermDefault::TaperedSquares(..)
        )
    }

    pub const fn shape(&self) -> TermShape {
        match self.default {
            TermDefault::Number(_) | TermDefault::Tapered(..) => TermShape::Number,
            TermDefault::List(values) => TermShape::List(values.len()),
            TermDefault::TaperedList(values) => TermShape::List(values.len()),
            TermDefault::Squares(_) | TermDefault::TaperedSquares(..) => TermShape::Squares,
        }
    }
}

/// The first slot of a term among all slots of its list. For use in constants: a name that is
/// not in the list does not compile.
pub const fn slot(terms: &[Term], name: &str) -> usize {
    let mut at = 0;
    let mut index = 0;
    while index < terms.len() {
        if same_text(terms[index].name, name) {
            return at;
        }
        at += terms[index].shape().slots();
        index += 1;
    }
    panic!("no term of this name in the list")
}

/// All slots of a list of terms.
pub const fn slot_count(terms: &[Term]) -> usize {
    let mut slots = 0;
    let mut index = 0;
    while index < terms.len() {
        slots += terms[index].shape().slots();
        index += 1;
    }
    slots
}

const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
