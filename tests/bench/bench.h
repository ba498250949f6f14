// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>

namespace idemdesk::bench {

/// What a bench measured: one line per figure, each with its budget where it has one.
class Report
{
public:
    /// `measured` over `base`, both medians in milliseconds; missed if the ratio is over the budget.
    void ratio(const QString &what, double measured, const QString &against, double base, std::optional<double> budget);
    /// A figure of its own; missed if it is over the budget.
    void figure(const QString &what, double value, const QString &unit, std::optional<double> budget);
    /// A fact about the run: number of rows, a server's version.
    void note(const QString &text);

    bool missed() const { return m_missed; }
    QString table() const; ///< aligned, for a terminal

private:
    void add(QStringList cells, bool inBudget, bool hasBudget);
    QList<QStringList> m_lines;
    QStringList m_notes;
    bool m_missed = false;
};

/// Runs the tasks in turn, round after round, so that a slow moment of the machine meets all of them. Gives each task's
/// times in milliseconds, sorted; the first `warmUp` rounds do not count.
QList<QList<double>> interleaved(const QList<std::function<void()>> &tasks, int rounds, int warmUp = 2);

double median(const QList<double> &sorted);
double percentile(const QList<double> &sorted, double fraction); ///< 0.99 for the 99th

/// Memory that a process holds now, in MiB; -1 where it is not known.
double residentMiB(qint64 pid);

/// One named bench: `idemdesk_bench NAME [ARGUMENTS…]`.
struct Entry {
    QString name;
    QString title;
    std::function<void(Report &report, const QStringList &arguments)> run;
};

/// Registers a bench from a file-scope constant: `const bool registered = bench::add({ u"keys"_s, …, runKeys });`
bool add(Entry entry);
const QList<Entry> &entries();

} // namespace idemdesk::bench
