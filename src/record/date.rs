//! Dates of games, without a calendar library.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date and the time of day in UTC: `2026.11.19` and `19:25:03`, as the PGN standard writes them.
pub fn utc_date_and_time(moment: SystemTime) -> (String, String) {
    let since = moment.duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date_of_day(days);
    (
        format!("{year:04}.{month:02}.{day:02}"),
        format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60),
    )
}

/// Year, month and day of the Gregorian calendar, from days since 1970.
fn date_of_day(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    // Years begin in March here, so that the leap day is the last of its year: day 0 is 1 March 0000.
    let day = days + 719_468;
    let (era, day) = (day / DAYS_OF_400_YEARS, day % DAYS_OF_400_YEARS);
    let leap_days = day / 1460 - day / 36_524 + day / (DAYS_OF_400_YEARS - 1);
    // The leap days so far, or one fewer on the last day of a period: all years have 365 days then.
    let year = (day - leap_days) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 31, 30, 31, 30, 31 days, again and again: 153 in five.
    let month = (5 * day + 2) / 153;
    let first = (153 * month + 2) / 5;
    let (month, after) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (400 * era + year + after, month, day - first + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Days since 1970, counted year by year and month by month.
    fn days_until(year: u64, month: u64, day: u64) -> u64 {
        let is_leap = |year: u64| {
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
        };
        let years: u64 = (1970..year).map(|it| 365 + u64::from(is_leap(it))).sum();
        let lengths = [
            31,
            28 + u64::from(is_leap(year)),
            31,
            30,
            31,
            30,
            31,
            31,
            30,
            31,
            30,
            31,
        ];
        years + lengths[..month as usize - 1].iter().sum::<u64>() + day - 1
    }

    #[test]
    fn every_day_of_six_centuries_has_its_date() {
        for year in 1970..2570 {
            for month in 1..=12 {
                for day in 1..=28 {
                    let days = days_until(year, month, day);
                    assert_eq!(date_of_day(days), (year, month, day));
                }
            }
        }
        assert_eq!(date_of_day(days_until(2000, 2, 29)), (2000, 2, 29));
        assert_eq!(date_of_day(days_until(2027, 12, 31)), (2027, 12, 31));
    }

    #[test]
    fn a_moment_is_written_as_in_game_collections() {
        // The timestamps 0 and 1,234,567,890 of Unix, which are well known.
        let at = |seconds| utc_date_and_time(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), ("1970.01.01".to_string(), "00:00:00".to_string()));
        assert_eq!(
            at(1_234_567_890),
            ("2009.02.13".to_string(), "23:31:30".to_string())
        );
    }
}
