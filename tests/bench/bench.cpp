// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::bench {

namespace {

QList<Entry> &registry()
{
    static QList<Entry> all; // benches register before main()
    return all;
}

QString number(double value)
{
    return QString::number(value, 'f', value < 10 ? 3 : 1);
}

} // namespace

void Report::add(QStringList cells, bool inBudget, bool hasBudget)
{
    cells.append(!hasBudget ? QString() : inBudget ? u"ok"_s : u"MISSED"_s);
    m_missed = m_missed || (hasBudget && !inBudget);
    // A long bench shows what it has so far; the table follows on standard output.
    QTextStream(stderr) << "  " << cells.join(u"  "_s).simplified() << '\n';
    m_lines.append(cells);
}

void Report::ratio(
    const QString &what, double measured, const QString &against, double base, std::optional<double> budget)
{
    const double ratio = measured / base;
    add({ what, number(measured) + u" ms"_s, against, number(base) + u" ms"_s, number(ratio),
            budget ? u"<= "_s + number(*budget) : QString() },
        budget && ratio <= *budget, budget.has_value());
}

void Report::figure(const QString &what, double value, const QString &unit, std::optional<double> budget)
{
    add({ what, number(value) + u' ' + unit, QString(), QString(), QString(),
            budget ? u"<= "_s + number(*budget) + u' ' + unit : QString() },
        budget && value <= *budget, budget.has_value());
}

void Report::note(const QString &text)
{
    m_notes.append(text);
}

QString Report::table() const
{
    QList<QStringList> lines { { u"measure"_s, u"median"_s, u"over"_s, u"median"_s, u"ratio"_s, u"budget"_s,
        QString() } };
    lines += m_lines;
    QList<qsizetype> widths(lines.constFirst().size(), 0);
    for (const QStringList &line : lines) {
        for (qsizetype i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths.at(i), line.at(i).size());
        }
    }
    QString text;
    for (const QStringList &line : lines) {
        QString shown;
        for (qsizetype i = 0; i < line.size(); ++i) {
            const bool numeric = i == 1 || i == 3 || i == 4;
            shown += (numeric ? line.at(i).rightJustified(widths.at(i)) : line.at(i).leftJustified(widths.at(i)))
                + u"  "_s;
        }
        while (shown.endsWith(u' ')) {
            shown.chop(1);
        }
        text += shown + u'\n';
    }
    for (const QString &note : m_notes) {
        text += u"# "_s + note + u'\n';
    }
    return text;
}

QList<QList<double>> interleaved(const QList<std::function<void()>> &tasks, int rounds, int warmUp)
{
    QList<QList<double>> times(tasks.size());
    for (int round = -warmUp; round < rounds; ++round) {
        for (qsizetype i = 0; i < tasks.size(); ++i) {
            // Each round starts with another task: none always runs in the wake of the same one.
            const qsizetype task = (i + round + warmUp) % tasks.size();
            QElapsedTimer timer;
            timer.start();
            tasks.at(task)();
            if (round >= 0) {
                times[task].append(double(timer.nsecsElapsed()) / 1e6);
            }
        }
    }
    for (QList<double> &list : times) {
        std::sort(list.begin(), list.end());
    }
    return times;
}

double median(const QList<double> &sorted)
{
    const qsizetype middle = sorted.size() / 2;
    return sorted.isEmpty()      ? std::nan("")
        : sorted.size() % 2 == 1 ? sorted.at(middle)
                                 : (sorted.at(middle - 1) + sorted.at(middle)) / 2;
}

double percentile(const QList<double> &sorted, double fraction)
{
    if (sorted.isEmpty()) {
        return std::nan("");
    }
    const auto index = qsizetype(std::ceil(fraction * double(sorted.size()))) - 1;
    return sorted.at(std::clamp<qsizetype>(index, 0, sorted.size() - 1));
}

bool add(Entry entry)
{
    registry().append(std::move(entry));
    return true;
}

const QList<Entry> &entries()
{
    return registry();
}

double residentMiB(qint64 pid)
{
    QFile file(u"/proc/%1/status"_s.arg(pid));
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (line.startsWith("VmRSS:")) {
                return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
            }
        }
    }
    return -1;
}

} // namespace idemdesk::bench
