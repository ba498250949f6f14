// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_file.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kPieceBytes = 256 * 1024;
constexpr qsizetype kMostRefusedKept = 20;
constexpr qsizetype kMostWordsKept = 8;
constexpr qsizetype kKeptOfWord = 40;

sql::Error noStatement(const QString &path, const QString &why)
{
    return sql::makeError(
        sql::ErrorKind::File, Tr::tr("The statement “%1” cannot be read.").arg(displayText(path)), why);
}

/// Nothing but a plain file: to open a pipe would wait for its writer.
sql::Result<void> openStatement(const QString &path, QFile *file)
{
    const int handle = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (handle < 0) {
        return noStatement(path, qt_error_string(errno));
    }
    struct stat info {
    };
    const bool plain = ::fstat(handle, &info) == 0 && S_ISREG(info.st_mode);
    if (!plain || !file->open(handle, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(handle);
        return noStatement(path, S_ISDIR(info.st_mode) ? Tr::tr("It is a folder.") : Tr::tr("It is not a plain file."));
    }
    return {};
}

/// Hands the bytes to the reader until either has no more.
sql::Result<void> readFile(const QString &path, StatementReader *reader, QCryptographicHash *hash,
    const std::stop_token &stop, StatementProgress *progress)
{
    QFile file;
    TRY(openStatement(path, &file));
    if (progress != nullptr) {
        progress->begin(StatementProgress::Phase::Reading, file.size());
    }
    for (;;) {
        if (stop.stop_requested()) {
            return sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("Reading the statement was cancelled."));
        }
        const QByteArray piece = file.read(kPieceBytes);
        if (file.error() != QFileDevice::NoError) {
            return noStatement(path, file.errorString());
        }
        if (hash != nullptr) {
            hash->addData(piece);
        }
        if (progress != nullptr) {
            progress->done += piece.size();
        }
        if (piece.isEmpty()) {
            TRY(reader->finish());
            return reader->lines() > 0 ? sql::Result<void>()
                                       : sql::Result<void>(noStatement(path, Tr::tr("It is empty.")));
        }
        TRY(const bool more, reader->feed(piece));
        if (!more) {
            return {};
        }
    }
}

/// The map to read by: the one given, if the columns are there, or a guess.
sql::Result<StatementMap> mapFor(const StatementMap &given, const QStringList &columns, bool csv)
{
    StatementMap map = given.empty() ? guessedStatementMap(columns) : given;
    if (given.empty() && given.allHappened) {
        map.allHappened = true;
        map.state.clear();
    }
    QStringList shown;
    for (const QString &column : columns) {
        shown += u'“' + displayText(column) + u'”';
    }
    const QString there = Tr::tr("The columns of the statement are: %1.").arg(shown.mid(0, 40).join(u", "_s));
    if (map.empty()) {
        return sql::makeError(sql::ErrorKind::Usage,
            Tr::tr("Which column holds the reference cannot be told from the first line."), there,
            Tr::tr("Say it: --map reference=COLUMN --map amount=COLUMN --map time=COLUMN."));
    }
    const QStringList named = map.columns();
    for (const QString &column : named) {
        // Members of JSON may be left out of some lines, and a pointer leads deeper.
        if (csv && !columns.contains(column)) {
            return sql::makeError(sql::ErrorKind::Usage,
                Tr::tr("The first line of the statement names no column “%1”.").arg(displayText(column)), there,
                Tr::tr("Say with --map which column it is."));
        }
    }
    return map;
}

/// Reading takes more than a preview: a line that nobody said happened is not taken for one that did.
sql::Result<StatementMap> mapToReadBy(const StatementMap &given, const QStringList &columns, bool csv)
{
    TRY(StatementMap map, mapFor(given, columns, csv));
    if (map.tellsOutcome()) {
        return map;
    }
    const QString like = stateAmong(columns);
    return sql::makeError(sql::ErrorKind::Usage, Tr::tr("Nothing says what became of each line of the statement."),
        like.isEmpty() ? QString() : Tr::tr("The column “%1” looks as if it did.").arg(displayText(like)),
        Tr::tr("Say it: --map state=COLUMN. If each line is something that happened: --map outcome=happened."));
}

class StatementLoader
{
public:
    StatementLoader(
        const StatementMap &given, const sql::ProviderTarget &target, sql::StatementStore *store, StatementFacts *facts)
        : m_given(given)
        , m_target(target)
        , m_store(store)
        , m_facts(facts)
    {
    }

    sql::Result<bool> take(
        const StatementReader &reader, const StatementRecord &record, const QMap<QString, QString> &values)
    {
        ++m_facts->lines;
        if (!record.fault.isEmpty()) {
            refuse(record.number, record.fault);
            return true;
        }
        if (m_facts->map.empty()) {
            TRY(m_facts->map, mapToReadBy(m_given, reader.columns(), reader.format() == StatementFormat::Csv));
        }
        MappedLine mapped = mappedLine(m_facts->map, values);
        if (!mapped.fault.isEmpty()) {
            refuse(record.number, mapped.fault);
            return true;
        }
        mapped.line.number = record.number;
        mapped.line.reference = m_target.referenceForm(mapped.line.reference);
        mapped.line.text = QString::fromUtf8(record.bytes).left(sql::kMostProviderText);
        if (mapped.line.outcome == sql::LineOutcome::Other || mapped.line.outcome == sql::LineOutcome::Unclear) {
            leaveAside(mapped.state);
        }
        TRY(const bool added, m_store->addLine(mapped.line));
        m_facts->repeated += added ? 0 : 1;
        return true;
    }

private:
    void leaveAside(const QString &state)
    {
        ++m_facts->aside;
        const QString word = state.left(kKeptOfWord);
        if (m_facts->asideWords.size() < kMostWordsKept && !m_facts->asideWords.contains(word)) {
            m_facts->asideWords += word;
        }
    }

    void refuse(qint64 line, const QString &why)
    {
        ++m_facts->refused;
        if (m_facts->refusedKept.size() < kMostRefusedKept) {
            m_facts->refusedKept.append({ line, why });
        }
    }

    const StatementMap m_given;
    const sql::ProviderTarget &m_target;
    sql::StatementStore *m_store;
    StatementFacts *m_facts;
};

} // namespace

sql::Result<StatementPreview> previewStatement(const QString &path, const StatementMap &map)
{
    StatementPreview preview;
    const StatementReader *reading = nullptr;
    StatementReader reader(
        [&](const StatementRecord &record, const QMap<QString, QString> &values) -> sql::Result<bool> {
            if (preview.lines.isEmpty()) {
                preview.columns = reading->columns();
                const auto found = mapFor(map, preview.columns, reading->format() == StatementFormat::Csv);
                if (!found && !map.empty()) {
                    return found.error();
                }
                preview.map = found ? *found : StatementMap();
            }
            MappedLine mapped;
            if (record.fault.isEmpty()) {
                mapped = preview.map.empty() ? MappedLine() : mappedLine(preview.map, values);
            }
            mapped.fault = record.fault.isEmpty() ? mapped.fault : record.fault;
            mapped.line.number = record.number;
            mapped.line.text = QString::fromUtf8(record.bytes).left(sql::kMostProviderText);
            preview.lines.append(mapped);
            return preview.lines.size() < kPreviewLines;
        });
    reading = &reader;
    TRY(readFile(path, &reader, nullptr, {}, nullptr));
    preview.columns = reader.columns();
    preview.format = reader.format().value_or(StatementFormat::Csv);
    return preview;
}

sql::Result<StatementFacts> readStatement(const QString &path, const StatementMap &map,
    const sql::ProviderTarget &target, sql::StatementStore *store, const std::stop_token &stop,
    StatementProgress *progress)
{
    StatementFacts facts;
    facts.name = QFileInfo(path).fileName();
    StatementLoader loader(map, target, store, &facts);
    const StatementReader *reading = nullptr;
    StatementReader reader([&](const StatementRecord &record, const QMap<QString, QString> &values) {
        return loader.take(*reading, record, values);
    });
    reading = &reader;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    TRY(readFile(path, &reader, &hash, stop, progress));
    facts.sha = QString::fromLatin1(hash.result().toHex());
    facts.columns = reader.columns();
    if (facts.map.empty() && facts.refused == 0) { // there is no line; the columns must be those that were meant
        TRY(facts.map, mapToReadBy(map, facts.columns, reader.format() != StatementFormat::JsonLines));
    }
    TRY(store->finishLines());
    TRY(facts.sharedIds, store->sharedIds());
    return facts;
}

} // namespace idemdesk::models
