//! The `OpenMetrics` text format, read strictly: what is not allowed panics.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A name, and labels in the order of their names.
type Series = (String, BTreeMap<String, String>);

/// What a scrape gives.
#[derive(Debug)]
pub(crate) struct Exposition {
    samples: HashMap<Series, f64>,
}

/// What stands before the samples of a family.
#[derive(Debug, Default)]
struct Family {
    name: String,
    kind: String,
}

impl Exposition {
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.strip_suffix("# EOF\n").expect("the end is marked");
        let (mut family, mut families) = (Family::default(), BTreeSet::new());
        let mut samples = HashMap::new();
        for line in lines.lines() {
            if let Some(about) = line.strip_prefix("# ") {
                let (what, about) = about.split_once(' ').expect(line);
                let (name, about) = about.split_once(' ').expect(line);
                match what {
                    "HELP" => {
                        assert!(families.insert(name.to_owned()), "{name} comes twice");
                        family = Family {
                            name: name.into(),
                            kind: String::new(),
                        };
                    }
                    "TYPE" => family.kind = about.into(),
                    "UNIT" => assert!(name.ends_with(&format!("_{about}")), "{line}"),
                    _ => panic!("{line}"),
                }
                assert_eq!(name, family.name, "{line}");
            } else {
                let (series, value) = sample(line);
                let suffix = series.0.strip_prefix(&family.name).expect(line);
                let suffixes: &[&str] = match family.kind.as_str() {
                    "counter" => &["_total"],
                    "gauge" => &[""],
                    "info" => &["_info"],
                    "histogram" => &["_bucket", "_sum", "_count"],
                    other => panic!("{other}: {line}"),
                };
                assert!(suffixes.contains(&suffix), "{line}");
                assert!(samples.insert(series, value).is_none(), "twice: {line}");
            }
        }
        let exposition = Self { samples };
        exposition.check_histograms();
        exposition
    }

    /// Buckets grow with their bounds, and the last is the count.
    fn check_histograms(&self) {
        let mut buckets: HashMap<Series, Vec<(f64, f64)>> = HashMap::new();
        for ((name, labels), value) in &self.samples {
            let Some(name) = name.strip_suffix("_bucket") else {
                continue;
            };
            let mut labels = labels.clone();
            let bound: f64 = labels.remove("le").unwrap().parse().unwrap();
            let histogram = (format!("{name}_count"), labels);
            buckets.entry(histogram).or_default().push((bound, *value));
        }
        assert!(!buckets.is_empty());
        for (histogram, mut buckets) in buckets {
            buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
            let last = buckets.last().unwrap();
            assert_eq!(*last, (f64::INFINITY, self.samples[&histogram]));
        }
    }

    /// The value of the only series with this name and, among others, these labels.
    pub(crate) fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let values: Vec<f64> = self.values(name, labels).collect();
        match values[..] {
            [value] => value,
            _ => panic!("{} series are {name}{labels:?}", values.len()),
        }
    }

    /// The sum of all series with this name and these labels.
    pub(crate) fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.values(name, labels).sum()
    }

    fn values(&self, name: &str, labels: &[(&str, &str)]) -> impl Iterator<Item = f64> {
        let fits = move |series: &Series| {
            let has = |(key, value): &(&str, &str)| series.1.get(*key).is_some_and(|v| v == value);
            series.0 == name && labels.iter().all(has)
        };
        let samples = self.samples.iter();
        samples.filter_map(move |(series, value)| fits(series).then_some(*value))
    }

    /// The names to ask for: those of all samples, and those of histograms, without what
    /// is put behind them for their parts.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let names: BTreeSet<_> = self.samples.keys().map(|(name, _)| name.as_str()).collect();
        let whole = |name: &&str| {
            let parts = ["_bucket", "_sum", "_count"];
            let part = parts.iter().find_map(|part| name.strip_suffix(part));
            part.filter(|histogram| names.contains(format!("{histogram}_bucket").as_str()))
                .unwrap_or(name)
                .to_owned()
        };
        names.iter().map(whole).collect()
    }

    /// Which series there are.
    pub(crate) fn series(&self) -> BTreeSet<Series> {
        self.samples.keys().cloned().collect()
    }
}

/// A name, labels between braces that have no quotes in them, and a number.
fn sample(line: &str) -> (Series, f64) {
    let (series, value) = line.rsplit_once(' ').expect(line);
    let (name, labels) = match series.split_once('{') {
        Some((name, labels)) => (name, labels.strip_suffix('}').expect(line)),
        None => (series, ""),
    };
    let label = |label: &str| {
        let (key, value) = label.split_once('=').expect(line);
        let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        (key.to_owned(), value.expect(line).to_owned())
    };
    let labels = labels.split(',').filter(|label| !label.is_empty());
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    assert!(name.chars().all(is_name), "{line}");
    let series = (name.to_owned(), labels.map(label).collect());
    (series, value.parse().expect(line))
}
