// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/provider_controller.h"

#include "models/filter/filter_parser.h"
#include "models/format/labels.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kOpenRequestsMs = 60'000;
constexpr int kOpenAtOnce = 200;

} // namespace

ProviderController::ProviderController(QObject *parent)
    : QObject(parent)
    , m_states(notSettled())
    , m_list(new OpenRequestList(this))
{
    connect(&m_reading, &Request::changed, this, &ProviderController::changed);
    connect(&m_exporting, &Request::changed, this, &ProviderController::changed);
    connect(m_list, &RowModelBase::moreWanted, this, [this] {
        if (m_next) {
            ask(m_next);
        }
    });
}

void ProviderController::setDatabase(sql::Database *database)
{
    m_exporting.setDatabase(database);
    if (m_reading.setDatabase(database)) {
        forget();
    }
}

void ProviderController::setTarget(const sql::Target &target)
{
    if (target.relation.sql != m_target.relation.sql || target.profile.name != m_target.profile.name) {
        m_reading.drop();
        m_exporting.drop();
        m_reading.clearError();
        m_target = target;
        forget();
    }
    m_target = target;
    m_list->setScopeTitle(scopeTitle(target.profile));
}

void ProviderController::forget()
{
    m_loaded = false;
    m_complete = true;
    m_next.reset();
    m_notes.clear();
    m_list->setRequests({}, {}, false);
    emit changed();
}

void ProviderController::read(const QList<sql::ProviderState> &states, const QString &filter, const QTimeZone &zone)
{
    const auto parsed = parseFilter(filter, vocabularyOf(m_target.profile, zone));
    if (!parsed) {
        m_reading.fail(parsed.error());
        return;
    }
    m_states = states;
    m_filter = *parsed;
    refresh();
}

void ProviderController::refresh()
{
    m_reading.clearError();
    ask(std::nullopt);
}

void ProviderController::ask(const std::optional<sql::Cursor> &from)
{
    const auto job = [target = m_target, states = m_states, filter = m_filter, from](
                         sql::Session &session) -> sql::Result<OpenRequests> {
        TRY(const auto provider, sql::ProviderTarget::bind(session, target, false));
        sql::PageRequest request;
        request.filter = filter;
        request.order = provider.timeOrder(); // the oldest first, where that costs nothing
        request.limit = kOpenAtOnce;
        if (from) {
            request.from = *from;
        }
        return readOpenRequests(session, provider, request, states);
    };
    m_reading.ask(
        { sql::LaneKind::Background, kOpenRequestsMs }, job, [this, further = from.has_value()](const auto &read) {
            if (!read) {
                m_list->moreFailed();
                return;
            }
            m_loaded = true;
            m_next = read->next;
            m_notes = read->notes;
            m_complete = read->complete;
            if (further) {
                m_list->addRequests(read->rows, m_next.has_value());
            } else {
                m_list->setRequests(read->rows, read->now, m_next.has_value());
            }
        });
}

void ProviderController::exportReferences(const QString &path)
{
    const auto job = [target = m_target, states = m_states, filter = m_filter, path](
                         sql::Session &session) -> sql::Result<WrittenReferences> {
        TRY(const auto provider, sql::ProviderTarget::bind(session, target, false));
        sql::PageRequest request;
        request.filter = filter;
        request.order = provider.timeOrder();
        return writeReferences(session, provider, request, states, path);
    };
    m_exporting.ask({ sql::LaneKind::Background, 0, false }, job, [this](const auto &written) {
        if (written) {
            emit exported(*written);
        } else {
            emit exportFailed(written.error());
        }
    });
}

} // namespace idemdesk::models

#include "moc_provider_controller.cpp"
