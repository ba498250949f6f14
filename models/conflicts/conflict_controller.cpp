// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_controller.h"

#include "models/async.h"
#include "models/conflicts/log_sources.h"
#include "models/format/labels.h"
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
    const auto there = sql::keepsConflicts(session);
    if (!there) {
        return there.error();
    }
    if (*there || !place.kept()) {
        const auto page = sql::readConflicts(session, filter);
        return page ? sql::Result<Answer>(Answer { *page, false }) : sql::Result<Answer>(page.error());
    }
    const auto local = sql::LocalConflicts::open(place);
    const auto page = local ? (*local)->page(filter) : sql::Result<sql::ConflictPage>(local.error());
    return page ? sql::Result<Answer>(Answer { *page, true }) : sql::Result<Answer>(page.error());
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
}

ConflictController::~ConflictController() { *m_stop = true; }

void ConflictController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    *m_stop = true;
    m_database = database;
    ++m_ticket;
    m_sources.clear();
    m_importing = false;
    m_busy = false;
    m_loaded = false;
    m_error.reset();
    m_model->setPage({});
    emit changed();
}

void ConflictController::setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems)
{
    m_targets.clear();
    m_problems = problems;
    QHash<QString, QString> labels;
    for (const TargetEntry &entry : targets) {
        m_targets += entry.target;
        labels.insert(entry.registration ? entry.registration->name : entry.target.profile.name, targetLabel(entry.target.profile));
    }
    m_model->setTableLabels(labels);
}

void ConflictController::setFilter(const QString &kind, const QString &key)
{
    if (kind != m_kind || key != m_key) {
        m_kind = kind;
        m_key = key;
        refresh();
    }
}

void ConflictController::refresh() { read(false); }

void ConflictController::read(bool more)
{
    if (m_database == nullptr) {
        return;
    }
    m_busy = true;
    const quint64 ticket = ++m_ticket;
    sql::ConflictFilter filter;
    filter.kind = m_kind;
    filter.key = m_key;
    if (more && !m_model->rows().isEmpty()) {
        filter.after = m_model->rows().constLast();
    }
    auto future = m_database->run(sql::LaneKind::Read, { u"conflicts"_s, kConflictDeadlineMs, true }, [filter, place = m_place](sql::Session &session) { return readAnswer(session, filter, place); });
    whenDone(future, this, [this, ticket, more](const sql::Result<Answer> &answer) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        m_error.reset();
        if (answer) {
            m_loaded = true;
            m_keptHere = answer->here;
            if (more) {
                m_model->append(answer->page);
            } else {
                m_model->setPage(answer->page);
            }
        } else {
            m_error = answer.error();
            m_model->moreFailed();
        }
        emit changed();
    });
    emit changed();
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
    enqueue({ name, [name, bytes = text.toUtf8()](sql::Session &) { return sql::Result<LogInput>(textLog(name, bytes)); } });
}

void ConflictController::enqueue(const Source &source)
{
    if (m_database == nullptr) {
        return;
    }
    m_sources += source;
    if (!m_importing) {
        importNext();
    }
}

void ConflictController::cancelImport()
{
    m_sources.clear();
    *m_stop = true;
    if (m_database != nullptr) {
        m_database->cancel(u"import"_s); // the search for keys may be a long statement
    }
}

void ConflictController::importNext()
{
    if (m_sources.isEmpty() || m_database == nullptr) {
        m_importing = false;
        refresh();
        return;
    }
    m_importing = true;
    const Source source = m_sources.takeFirst();
    m_stop = std::make_shared<std::atomic_bool>(false);
    *m_done = 0;
    *m_size = 0;
    auto future = m_database->run(sql::LaneKind::Write, { u"import"_s, kImportDeadlineMs, false },
        [open = source.open, targets = m_targets, place = m_place, mapping = m_mapping, stop = m_stop, done = m_done, size = m_size](sql::Session &session) -> sql::Result<ImportCounts> {
            const auto input = open(session);
            if (!input) {
                return input.error();
            }
            LogFileOptions options;
            options.mapping = mapping;
            options.cancelled = [stop, &session] { return stop->load() || session.cancelled(); };
            options.progress = [done, size](qint64 read, qint64 whole) {
                *done = read;
                *size = whole;
            };
            return importConflicts(session, place, *input, targets, options);
        });
    whenDone(future, this, [this, name = source.name, stop = m_stop](const sql::Result<ImportCounts> &counts) {
        if (stop != m_stop) {
            return;
        }
        if (counts) {
            ImportCounts told = *counts;
            if (told.conflicts + told.replays > 0) {
                told.notSearched += problemTexts(m_problems);
            }
            emit imported(name.isEmpty() ? told.name : name, told);
        } else if (counts.error().kind != sql::ErrorKind::Cancelled) {
            emit importFailed(name.isEmpty() ? tr("the server's log") : name, counts.error());
        }
        importNext();
    });
    emit changed();
}

} // namespace idemdesk::models

#include "moc_conflict_controller.cpp"
