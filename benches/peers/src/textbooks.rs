//! Textbook backtracking beside ours.

use std::time::Duration;

use sudoku_service::grid::Grid;
use sudoku_service::solver::Engine;

use crate::clock::time;
use crate::judge::{Answer, Judge};
use crate::oracle::{Board, Verdict};
use crate::oracle::{column_major, first_blank, row_major, used_tables};
use crate::puzzles::Puzzles;
use crate::race::race;
use crate::solvers::{Batch, Single};

type Textbook = (&'static str, fn(&mut Board) -> Verdict);

const TEXTBOOKS: [Textbook; 4] = [
    ("row major", row_major::solve),
    ("first blank", first_blank::solve),
    ("used tables", used_tables::solve),
    ("column major", column_major::solve),
];

/// What a textbook made of a sample of the puzzles.
#[derive(Default)]
struct Score {
    settled: usize,
    times: Vec<Duration>,
}

/// Prints a table for a file, and tells how many puzzles got a wrong answer.
///
/// A textbook looks for one solution and gives up after a million steps; ours also prove
/// that there is no other. The textbooks get `sample` of the puzzles, ours get all.
pub(crate) fn compare(puzzles: &Puzzles, engine: Engine, sample: usize, limit: Duration) -> usize {
    let grids = &puzzles.grids;
    let mut judge = Judge::new(grids);
    let mut single = Single::new(engine, grids);
    let mut batch = Batch::new(engine, grids);
    let ours = race(
        grids.len(),
        &mut [&mut single, &mut batch],
        &mut judge,
        limit,
    );
    let sample = puzzles.sample(sample);
    let scores = TEXTBOOKS.map(|textbook| score(textbook, grids, &sample, &mut judge));

    let [single, batch] = ours.map(|time| micros(time) / grids.len() as f64);
    println!(
        "{}: {} puzzles, {} of them for the textbooks\n",
        puzzles.name,
        grids.len(),
        sample.len()
    );
    println!("| solver | settled | median µs | mean µs | slowest µs | mean, times ours |");
    println!("|---|---|---|---|---|---|");
    for ((name, _), score) in TEXTBOOKS.iter().zip(scores) {
        score.print(name, single);
    }
    for (name, mean) in [("ours, single calls", single), ("ours, batches", batch)] {
        println!(
            "| {name} ({engine}) | all | | {mean:.3} | | {:.2} |",
            mean / single
        );
    }
    println!();
    judge.wrong()
}

fn score((name, solve): Textbook, grids: &[Grid], sample: &[usize], judge: &mut Judge) -> Score {
    let mut score = Score::default();
    for &index in sample {
        let mut board = *grids[index].values();
        let mut verdict = Verdict::GaveUp;
        score.times.push(time(|| verdict = solve(&mut board)));
        let answer = match verdict {
            Verdict::Solved => Grid::from_values(board).map_or(Answer::Open, Answer::Some),
            Verdict::Unsolvable | Verdict::Refused => Answer::None,
            Verdict::GaveUp => continue,
        };
        judge.look_at(name, index, answer);
        score.settled += 1;
    }
    score
}

impl Score {
    fn print(mut self, name: &str, ours: f64) {
        self.times.sort_unstable();
        let puzzles = self.times.len();
        let settled = 100.0 * self.settled as f64 / puzzles as f64;
        let median = micros(self.times[puzzles / 2]);
        let slowest = micros(self.times[puzzles - 1]);
        let mean = micros(self.times.iter().sum()) / puzzles as f64;
        let ratio = mean / ours;
        println!(
            "| {name} | {settled:.1} % | {median:.1} | {mean:.1} | {slowest:.0} | {ratio:.1} |"
        );
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
