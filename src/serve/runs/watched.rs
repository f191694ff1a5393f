//! One run directory as the server knows it: its games are read once, as they come.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::view::PageParts;
use crate::record::{
    Followed, GameRow, GamesFollower, Holder, MANIFEST, Manifest, RecordError, has_page,
};
use crate::report::{Growing, ReportData, elo_text};
use crate::stats::Verdict;

/// Bytes of games between two looks at the clock.
const PIECE: u64 = 1 << 20;
/// Games shown on boards.
const LATEST: usize = 6;
/// The speed is that of the last minutes.
const SPEED_TIME: Duration = Duration::from_secs(120);
/// A speed from less time says nothing.
const LEAST_SPEED_TIME: Duration = Duration::from_secs(3);

/// Size and time of a file.
type FileStamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> FileStamp {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()?))
}

pub struct Watched {
    id: String,
    path: PathBuf,
    /// Of the files when everything was read: manifest, games or log, results of a tuning run, page, lock.
    read: [FileStamp; 5],
    manifest: FileStamp,
    growing: Option<Growing>,
    follower: GamesFollower,
    latest: VecDeque<GameRow>,
    speed: VecDeque<(Instant, u64)>,
    holder: Option<Holder>,
    error: Option<String>,
    all_read: bool,
    /// Counts changes.
    version: u64,
    results: Option<(u64, Results)>,
    /// What a page shows of a version.
    pub(super) parts: Option<Arc<PageParts>>,
}

/// What a list shows of the games.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub leader: Option<String>,
    /// Over the next player, in Elo with its interval.
    pub lead: Option<String>,
    pub verdict: Option<String>,
    /// Whether the SPRT has ended.
    pub decided: bool,
    /// Whether a race has come to its end.
    pub over: bool,
    /// Whether the run was ended in order.
    pub sealed: bool,
}

impl Results {
    fn of(path: &Path, data: Option<&ReportData>) -> Results {
        let mut results = Results {
            sealed: has_page(path),
            ..Results::default()
        };
        let Some(data) = data else { return results };
        results.leader = data.ladder().first().map(|first| first.name.clone());
        let race = data.race.as_ref();
        results.over = race.is_some_and(|race| race.end().is_some() && race.stage().is_none());
        results.lead = data.lead().map(|lead| elo_text(&lead));
        if let (Some(sprt), Some((_, pairs))) = (data.sprt(), data.pairs.last()) {
            let llr = sprt.llr(pairs);
            let verdict = sprt.verdict(llr);
            results.decided = verdict != Verdict::Continue;
            results.verdict = Some(match verdict {
                Verdict::AcceptH1 => "H1 accepted".to_string(),
                Verdict::AcceptH0 => "H0 accepted".to_string(),
                Verdict::Continue => format!(
                    "LLR {llr:.2} ({:.2}, {:.2})",
                    sprt.lower_bound(),
                    sprt.upper_bound()
                ),
            });
        }
        results
    }
}

impl Watched {
    pub fn new(id: &str, path: &Path) -> Watched {
        Watched {
            id: id.to_string(),
            path: path.to_path_buf(),
            read: [None; 5],
            manifest: None,
            growing: None,
            follower: GamesFollower::new(path),
            latest: VecDeque::new(),
            speed: VecDeque::new(),
            holder: None,
            error: None,
            all_read: false,
            version: 0,
            results: None,
            parts: None,
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn holder(&self) -> Option<&Holder> {
        self.holder.as_ref()
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    pub fn manifest(&self) -> Option<&Manifest> {
        self.growing.as_ref()?.manifest()
    }

    pub fn growing(&self) -> Option<&Growing> {
        self.growing.as_ref()
    }

    pub fn data(&mut self) -> Option<&ReportData> {
        self.growing.as_mut().map(Growing::data)
    }

    /// Computed once per version.
    pub fn results(&mut self) -> Results {
        let version = self.version;
        if let Some((of, results)) = &self.results
            && *of == version
        {
            return results.clone();
        }
        let results = Results::of(&self.path.clone(), self.data());
        self.results = Some((version, results.clone()));
        results
    }

    pub fn latest(&self) -> &VecDeque<GameRow> {
        &self.latest
    }

    pub fn follower(&self) -> &GamesFollower {
        &self.follower
    }

    /// Whether everything that is in the files was read.
    pub fn all_read(&self) -> bool {
        self.all_read
    }

    /// The share of the games that was read, 0 to 1.
    pub fn share_read(&self) -> f64 {
        match self.all_read {
            true => 1.0,
            false => self.follower.share(),
        }
    }

    /// When games were last written, in seconds since 1970.
    pub fn modified(&self) -> u64 {
        let times = ["games.csv", "trajectory.csv", MANIFEST]
            .into_iter()
            .filter_map(|name| Some(stamp(&self.path.join(name))?.1));
        let latest = times
            .max()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        latest.map_or(0, |time| time.as_secs())
    }

    /// Games per second of late, while it is played.
    pub fn games_per_second(&self) -> Option<f64> {
        let ((first, before), (last, now)) = (self.speed.front()?, self.speed.back()?);
        let time = last.duration_since(*first);
        (self.holder.is_some() && time >= LEAST_SPEED_TIME && now > before)
            .then(|| (now - before) as f64 / time.as_secs_f64())
    }

    /// Looks at the files, and reads games for about this time.
    pub fn refresh(&mut self, time: Duration) {
        let stamps = [
            MANIFEST,
            "games.csv",
            "trajectory.csv",
            "files.csv",
            ".lock",
        ]
        .map(|name| stamp(&self.path.join(name)));
        if self.all_read && stamps == self.read && self.holder.is_none() {
            return;
        }
        self.holder = Holder::of(&self.path);
        if self.growing.is_none() || stamps[0] != self.manifest {
            self.begin(stamps[0]);
        }
        let before = (self.follower.games(), self.all_read, self.error.clone());
        if let Err(error) = self.read_more(time, stamps[2..4] != self.read[2..4] || !self.all_read)
        {
            self.error = Some(error.to_string());
            self.all_read = true;
        }
        if stamps != self.read
            || before != (self.follower.games(), self.all_read, self.error.clone())
        {
            self.version += 1;
        }
        if self.all_read {
            self.read = stamps;
        }
        self.measure_speed();
    }

    /// Forgets what was read: the directory holds a run that is new or was changed.
    fn begin(&mut self, manifest: FileStamp) {
        self.manifest = manifest;
        self.follower = GamesFollower::new(&self.path);
        self.latest.clear();
        self.speed.clear();
        self.all_read = false;
        self.error = None;
        self.growing = match Growing::of(&self.path) {
            Ok(growing) => Some(growing),
            Err(error) => {
                // A run that has only begun has no manifest yet.
                self.error = self.holder.is_none().then(|| error.to_string());
                None
            }
        };
    }

    fn read_more(&mut self, time: Duration, has_new_log: bool) -> Result<(), RecordError> {
        let is_running = self.holder.is_some();
        let Some(growing) = &mut self.growing else {
            self.all_read = true;
            return Ok(());
        };
        if growing.manifest().is_some_and(|it| it.tuning.is_some()) {
            self.all_read = true;
            return match has_new_log.then(|| growing.read_tuning()) {
                // A row may just be written.
                Some(Err(_)) if is_running => Ok(()),
                Some(read) => read,
                None => Ok(()),
            };
        }
        let begun = Instant::now();
        self.all_read = false;
        loop {
            let latest = &mut self.latest;
            let followed = self.follower.read(PIECE, is_running, |row| {
                growing.push(&row);
                latest.push_back(row);
                if latest.len() > LATEST {
                    latest.pop_front();
                }
            })?;
            match followed {
                Followed::End => {
                    self.all_read = true;
                    return Ok(());
                }
                Followed::Replaced => {
                    // Read from the beginning with the next call.
                    self.growing = None;
                    return Ok(());
                }
                Followed::More if begun.elapsed() >= time => return Ok(()),
                Followed::More => {}
            }
        }
    }

    fn measure_speed(&mut self) {
        if self.holder.is_none() || !self.all_read {
            self.speed.clear();
            return;
        }
        let now = Instant::now();
        let tuned = self.growing.as_ref().and_then(Growing::tuned);
        let games = tuned.map_or(self.follower.games(), |(_, games)| games);
        self.speed.push_back((now, games));
        while let Some((first, _)) = self.speed.front()
            && now.duration_since(*first) > SPEED_TIME
        {
            self.speed.pop_front();
        }
    }
}
