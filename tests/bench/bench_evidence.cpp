// SPDX-License-Identifier: GPL-3.0-or-later
// What support waits for: two payloads compared and the recipe of a fingerprint searched ("payloads"), and a large log
// read ("logs"; argument: MiB, 1,024).
#include "models/compare/comparison.h"
#include "models/conflicts/conflict_import.h"
#include "models/fingerprint/recipe_search.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

using bench::demand;
using bench::expect;

constexpr double kDiffBudgetMs = 100; // DESIGN 7
constexpr double kRecipeBudgetMs = 1'000;
constexpr double kLogMemoryMiB
    = 64; ///< constant, whatever the log's size: pieces, one batch of conflicts and SQLite's pages
constexpr int kRounds = 11;
constexpr qsizetype kMiB = 1024 * 1024;

/// An order of so many lines, as services store them; `retry` writes the same order as another version of the client:
/// the lines in another order, every twentieth changed, and numbers in another form.
QByteArray order(int lines, bool retry)
{
    QByteArray text = "{\"order\": \"ord-7\", \"lines\": [";
    for (int i = 0; i < lines; ++i) {
        const int line = retry ? (i * 7 + 3) % lines : i;
        const QByteArray number = QByteArray::number(line);
        const QByteArray amount = QByteArray::number(line % 997) + (retry && line % 20 != 0 ? ".5" : ".50");
        text += (i == 0 ? "{\"id\": \"line-" : ", {\"id\": \"line-") + number + "\", \"sku\": \"SKU-" + number
            + "\", \"quantity\": " + QByteArray::number(line % 9 + (retry && line % 20 == 0 ? 1 : 0))
            + ", \"amount\": " + amount + ", \"note\": \"deliver before noon, please\", \"tags\": [\"a\", \"b\"]}";
    }
    return text + "]}";
}

QByteArray orderOf(qsizetype bytes, bool retry)
{
    const qsizetype each = order(1'000, false).size() / 1'000;
    int lines = int(bytes / each);
    while (lines % 7 == 0 || order(lines, retry).size() < bytes) {
        ++lines;
    }
    return order(lines, retry);
}

/// Of one text as good as nothing of which comes back: the alignment's hardest case.
QByteArray numbersOf(qsizetype bytes, int factor)
{
    QByteArray text = "[";
    for (qint64 i = 0; text.size() < bytes; ++i) {
        text += (i == 0 ? "" : ",") + QByteArray::number(i * factor % 1'000'003);
    }
    return text + ']';
}

void runPayloads(bench::Report &report, const QStringList &)
{
    struct Pair {
        QString name;
        QByteArray a;
        QByteArray b;
    };
    for (const Pair &pair :
        { Pair { u"an order, its lines in another order"_s, orderOf(kMiB, false), orderOf(kMiB, true) },
            Pair { u"numbers, all others"_s, numbersOf(kMiB, 7), numbersOf(kMiB, 11) } }) {
        int changes = 0;
        const auto times = bench::interleaved(
            { [&] {
                 models::CompareInput input;
                 input.a = pair.a;
                 input.b = pair.b;
                 changes = expect(models::comparePayloads(input, std::make_shared<std::atomic_bool>(false)))
                               ->diff.counts.data();
             },
                [&] {
                    demand(!QJsonDocument::fromJson(pair.a).isNull() && !QJsonDocument::fromJson(pair.b).isNull(),
                        u"no JSON"_s);
                } },
            kRounds);
        report.note(
            u"%1: %2 and %3 bytes, %4 changes"_s.arg(pair.name).arg(pair.a.size()).arg(pair.b.size()).arg(changes));
        report.figure(u"two payloads of 1 MiB compared, until both views have their rows: "_s + pair.name,
            bench::median(times.at(0)), u"ms"_s, kDiffBudgetMs);
        report.ratio(u"the same"_s, bench::median(times.at(0)), u"parsing both with QJsonDocument"_s,
            bench::median(times.at(1)), std::nullopt);
    }
    models::RecipeQuestion question;
    question.payload = orderOf(100'000, false);
    question.fingerprint = QString(64, u'0');
    for (const QString &name : models::RequestParts::names()) {
        question.parts.values.insert(name, name.toUtf8());
    }
    models::RecipeAnswer answer;
    const auto times = bench::interleaved({ [&] { answer = expect(models::findRecipe(question)); } }, 3, 1);
    report.note(
        u"%1 of %2 combinations tried where none fits and all parts are known"_s.arg(answer.tried).arg(answer.planned));
    report.figure(u"recipe search, 100 kB, none found"_s, bench::median(times.first()), u"ms"_s,
        kRecipeBudgetMs * 1.1); // it stops itself at the budget
}

/// A csvlog: a conflict in every thousand records, the rest what a busy server writes.
void writeLog(const QString &path, qint64 bytes)
{
    QFile file(path);
    demand(file.open(QIODevice::WriteOnly), file.errorString());
    QByteArray piece;
    for (qint64 i = 0; file.pos() < bytes; ++i) {
        const QByteArray number = QByteArray::number(i);
        const QByteArray head = "2026-11-20 12:00:" + QByteArray::number(10 + i % 50) + ".123 UTC,\"app\",\"shop\","
            + QByteArray::number(1'000 + i % 100) + ",\"[local]\",65f." + number + ',' + number
            + ",\"INSERT\",2026-11-20 11:00:00 UTC,3/" + number + ",0,";
        piece += head
            + (i % 1'000 == 0 ? "ERROR,23505,\"duplicate key value violates unique constraint "
                                "\"\"processed_message_pkey\"\"\",\"Key (consumer_name, message_id)=(mail, m-"
                        + number
                        + ") already exists.\",,,,,\"INSERT INTO app.processed_message (consumer_name, message_id) "
                          "VALUES ('mail', 'm-"
                        + number + "')\",,,\"worker\",\"client backend\",,0\n"
                              : QByteArray("LOG,00000,\"duration: 12.345 ms  statement: SELECT 1 FROM "
                                           "app.idempotency_request WHERE idempotency_key = 'ord-"
                                  + number + "'\",,,,,,,,,\"worker\",\"client backend\",,0\n"));
        if (piece.size() > kMiB) {
            demand(file.write(piece) == piece.size(), file.errorString());
            piece.clear();
        }
    }
    demand(file.write(piece) == piece.size() && file.flush(), file.errorString());
}

void runLogs(bench::Report &report, const QStringList &arguments)
{
    const qint64 bytes = (arguments.isEmpty() ? 1'024 : arguments.first().toLongLong()) * kMiB;
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"server.csv"_s);
    writeLog(path, bytes);
    const double before = bench::residentMiB(QCoreApplication::applicationPid());
    double most = before;
    qint64 batches = 0;
    models::LogFileOptions options;
    options.progress = [&](qint64, qint64) {
        if (++batches % 100 == 0) {
            most = std::max(most, bench::residentMiB(QCoreApplication::applicationPid()));
        }
    };
    models::ImportSteps steps;
    steps.store = [](const QList<sql::ConflictRecord> &records) { return sql::Result<qint64>(records.size()); };
    QElapsedTimer timer;
    timer.start();
    const auto counts = expect(models::importConflicts(expect(models::logFile(path)), {}, steps, options));
    const double seconds = double(timer.elapsed()) / 1'000;
    report.note(u"%1 lines, %2 records, %3 conflicts told, %4 unread"_s.arg(counts.log.lines)
                    .arg(counts.log.records)
                    .arg(counts.log.events)
                    .arg(counts.log.unread));
    report.figure(
        u"MiB of a csvlog read per second"_s, double(bytes) / double(kMiB) / seconds, u"MiB/s"_s, std::nullopt);
    report.figure(u"memory while it is read, over before"_s, most - before, u"MiB"_s, kLogMemoryMiB);
}

const bool registered = bench::add({ u"payloads"_s, u"two payloads compared, and a recipe searched"_s, runPayloads })
    && bench::add({ u"logs"_s, u"a large log read in constant memory"_s, runLogs });

} // namespace
