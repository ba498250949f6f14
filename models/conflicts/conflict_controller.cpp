// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_controller.h"

#include "models/conflicts/log_sources.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/lanes/database.h"
#include "sql/local/local_conflicts.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kConflictDeadlineMs = 20'000;
constexpr int kImportDeadlineMs = 3'600'000; // a large log on a slow disk

struct Answer {
    sql::ConflictPage page;
    bool here = false;
};

sql::Result<Answer> readAnswer(sql::Session &session, const sql::ConflictFilter &filter, const sql::LocalPlace &place)
{
    TRY(const auto there, sql::keepsConflicts(session));
    if (there || !place.kept()) {
        TRY(const auto page, sql::readConflicts(session, filter));
        return Answer { page, false };
    }
    TRY(const auto local, sql::LocalConflicts::open(place));
    TRY(const auto page, local->page(filter));
    return Answer { page, true };
}

} // namespace

ConflictController::ConflictController(QObject *parent)
    : QObject(parent)
    , m_model(new ConflictModel(this))
    , m_done(std::make_shared<std::atomic<qint64>>(0))
    , m_size(std::make_shared<std::atomic<qint64>>(0))
    , m_stop(std::make_shared<std::atomic_bool>(false))
{
    connect(m_model, &ConflictModel::moreWanted, this, [this] { read(true); });
    connect(&m_reading, &Request::changed, this, &ConflictController::changed);
    connect(&m_importing, &Request::changed, this, &ConflictController::changed);
}

ConflictController::~ConflictController()
{
    *m_stop = true;
}

void ConflictController::setDatabase(sql::Database *database)
{
    if (!m_reading.setDatabase(database)) {
        return;
    }
    *m_stop = true;
    m_importing.setDatabase(database);
    m_sources.clear();
    m_underWay = false;
    m_loaded = false;
    m_model->setPage({});
    emit changed();
}

void ConflictController::setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems)
{
    m_targets.clear();
    m_problems = problems;
    for (const TargetEntry &entry : targets) {
        m_targets += entry.target;
    }
    m_model->setTitles(TargetTitles(targets));
}

void ConflictController::setFilter(const QString &kind, const QString &key, const QString &attribute)
{
    if (kind != m_kind || key != m_key || attribute != m_attribute) {
        m_kind = kind;
        m_key = key;
        m_attribute = attribute;
        refresh();
    }
}

void ConflictController::refresh()
{
    read(false);
}

void ConflictController::read(bool more)
{
    sql::ConflictFilter filter;
    filter.kind = m_kind;
    filter.key = m_key;
    filter.attribute = m_attribute;
    if (more && !m_model->rows().isEmpty()) {
        filter.after = m_model->rows().constLast();
    }
    m_reading.ask(
        { sql::LaneKind::Read, kConflictDeadlineMs },
        [filter, place = m_place](sql::Session &session) { return readAnswer(session, filter, place); },
        [this, more](const sql::Result<Answer> &answer) {
            if (!answer) {
                m_model->moreFailed();
                return;
            }
            m_loaded = true;
            m_keptHere = answer->here;
            if (more) {
                m_model->append(answer->page);
            } else {
                m_model->setPage(answer->page);
            }
        });
}

void ConflictController::import(const QStringList &paths)
{
    for (const QString &path : paths) {
        const auto files = logFilesOf(path);
        if (!files) {
            emit importFailed(path, files.error());
            continue;
        }
        for (const QString &file : *files) {
            enqueue({ file, [file](sql::Session &) { return logFile(file); } });
        }
    }
}

void ConflictController::importServerLog(const QString &name)
{
    enqueue({ name, [name](sql::Session &session) { return serverLog(session, name); } });
}

void ConflictController::importText(const QString &text)
{
    const QString name = tr("pasted text");
    enqueue({ name,
        [name, bytes = text.toUtf8()](sql::Session &) { return sql::Result<LogInput>(textLog(name, bytes)); } });
}

void ConflictController::enqueue(const Source &source)
{
    if (m_importing.database() == nullptr) {
        return;
    }
    m_sources += source;
    if (!m_underWay) {
        importNext();
    }
}

void ConflictController::cancelImport()
{
    m_sources.clear();
    *m_stop = true;
    m_importing.cancel(); // the search for keys may be a long statement
}

void ConflictController::importNext()
{
    if (m_sources.isEmpty() || m_importing.database() == nullptr) {
        m_underWay = false;
        refresh();
        return;
    }
    m_underWay = true;
    const Source source = m_sources.takeFirst();
    m_stop = std::make_shared<std::atomic_bool>(false);
    *m_done = 0;
    *m_size = 0;
    m_importing.ask(
        { sql::LaneKind::Write, kImportDeadlineMs, false },
        [open = source.open, targets = m_targets, place = m_place, mapping = m_mapping, stop = m_stop, done = m_done,
            size = m_size, allTables = m_problems.isEmpty()](sql::Session &session) -> sql::Result<ImportCounts> {
            TRY(const auto input, open(session));
            LogFileOptions options;
            options.mapping = mapping;
            options.cancelled = [stop, &session] { return stop->load() || session.cancelled(); };
            options.progress = [done, size](qint64 read, qint64 whole) {
                *done = read;
                *size = whole;
            };
            return importConflicts(session, place, input, targets, options, allTables);
        },
        [this, name = source.name](const sql::Result<ImportCounts> &counts) {
            tell(name, counts);
            importNext();
        });
}

void ConflictController::tell(const QString &log, const sql::Result<ImportCounts> &counts)
{
    if (counts) {
        ImportCounts told = *counts;
        if (told.conflicts + told.replays > 0) {
            told.notSearched += problemTexts(m_problems);
        }
        emit imported(log.isEmpty() ? told.name : log, told);
    } else if (counts.error().kind != sql::ErrorKind::Cancelled) {
        emit importFailed(log.isEmpty() ? tr("the server's log") : log, counts.error());
    }
}

} // namespace idemdesk::models

#include "moc_conflict_controller.cpp"
