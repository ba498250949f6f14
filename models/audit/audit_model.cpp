// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_model.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "models/table/item_role.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <algorithm>
#include <climits>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

AuditModel::AuditModel(QObject *parent)
    : RowModel(parent)
{
}

void AuditModel::replace(const QList<sql::AuditRow> &rows, bool more)
{
    // The trail only grows: where the newest one shown is among the rows, what lies below it is known.
    qsizetype newer = 0;
    while (!m_rows.isEmpty() && newer < rows.size() && rows.at(newer).hash != m_rows.constFirst().hash) {
        ++newer;
    }
    const qsizetype known = rows.size() - newer;
    bool same = !m_rows.isEmpty() && newer < rows.size() && known <= m_rows.size();
    for (qsizetype i = 0; same && i < known; ++i) {
        same = rows.at(newer + i).hash == m_rows.at(i).hash;
    }
    if (same && (more || known == m_rows.size())) {
        const bool moreNow = this->more() || (more && known == m_rows.size());
        setAsked(true);
        if (newer > 0) {
            beginInsertRows({}, 0, int(newer) - 1);
            m_rows = rows.first(newer) + m_rows;
            endInsertRows();
        }
        setMore(moreNow);
        return;
    }
    setRows(rows, more);
}

void AuditModel::setTitles(const TargetTitles &titles)
{
    m_titles = titles;
    sayAnew(What, Target);
}

void AuditModel::setUndos(const QSet<QString> &actions)
{
    if (m_undos != actions) {
        m_undos = actions;
        sayAnew(Facts, Facts);
    }
}

/// A row of a batch does not say it; of an undo alone it changes the words.
sql::ActionVerb AuditModel::verbOf(const QString &action) const
{
    return m_undos.contains(action) ? sql::ActionVerb::Undo : sql::ActionVerb::Recover;
}

std::span<const AuditModel::ColumnSpec> AuditModel::columns()
{
    using Model = AuditModel;
    using Row = sql::AuditRow;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Row"); },
            .text = [](const Model &, const Row &row) { return countText(row.seq); },
            .alignment = kNumber },
        { .title = [] { return tr("At"); },
            .text = [](const Model &model, const Row &row) { return model.timeFormat().text(row.at); },
            .toolTip = [](const Model &model, const Row &row) { return model.timeFormat().exact(row.at); },
            .time = true },
        { .title = [] { return tr("Who"); }, .text = [](const Model &, const Row &row) { return row.who; } },
        { .title = [] { return tr("What"); },
            .text = [](const Model &, const Row &row) { return auditWhatLabel(row.what); } },
        { .title = [] { return tr("Table"); },
            .text = [](const Model &model, const Row &row) { return model.m_titles.title(row.target); } },
        { .title = [] { return tr("Batch"); },
            .text = [](const Model &, const Row &row) { return row.batch > 0 ? countText(row.batch) : QString(); },
            .alignment = kNumber },
        { .title = [] { return tr("Facts"); },
            .text = [](const Model &model, const Row &row) { return auditFactsText(row, model.verbOf(row.action)); } },
        { .title = [] { return tr("From"); },
            .text
            = [](const Model &, const Row &row) { return row.address.isEmpty() ? tr("local socket") : row.address; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant AuditModel::itemData(const sql::AuditRow &row, int column, int role) const
{
    if (role == ActionIdRole) {
        return row.action;
    }
    if (role == DetailRole && column == At) {
        return displayText(row.who);
    }
    return role == DetailRole && column == What ? QVariant(displayText(m_titles.title(row.target))) : QVariant();
}

namespace {

const QMap<QString, const char *> &whatLabels()
{
    static const QMap<QString, const char *> labels {
        { u"open"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Action begun") },
        { u"request"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Approval asked for") },
        { u"approve"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Approved") },
        { u"decline"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Declined") },
        { u"batch"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Batch done") },
        { u"pause"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Paused") },
        { u"resume"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Resumed") },
        { u"cancel"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Cancelled") },
        { u"register"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Table registered") },
        { u"unregister"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Table taken out") },
        { u"adopt"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Restored tables adopted") },
        { u"renamed"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Seen under another name") },
        { u"rebind"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Bound to the restored table") },
        { u"maintain"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "What was past its time removed") },
        { u"install"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Console installed") },
        { u"repair"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Console repaired") },
        { u"shared_login"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Shared login listed") },
        { u"detach"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition detached") },
        { u"attach"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition attached") },
        { u"drop"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition dropped") },
        { u"signal"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Session to be stopped") },
        { u"schedule"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Sampling said to be set up") },
        { u"unschedule"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Sampling said to be ended") },
        { u"import"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Log imported") },
        { u"signal_end"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "What its sender said of it") },
        { u"ask_again"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Approval asked for again") },
        { u"lost"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Connection lost in a batch") },
        { u"provider"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Provider's statement recorded") },
        { u"release"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Cached claim to be released") },
        { u"release_end"_s,
            QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "What was said to come of that release") },
        { u"review"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Review signed") },
        { u"runner"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Role for an owner made") },
        { u"limit"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Limit changed") },
        { u"settings"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Settings changed") },
    };
    return labels;
}

} // namespace

QStringList auditWhats()
{
    return whatLabels().keys();
}

QString auditWhatLabel(const QString &what)
{
    const char *label = whatLabels().value(what);
    return label != nullptr ? AuditModel::tr(label) : what;
}

QString auditFactsText(const sql::AuditRow &row, sql::ActionVerb verb)
{
    const QJsonObject facts = QJsonDocument::fromJson(row.factsJson).object();
    QStringList parts;
    if (const QString name = facts.value(u"verb"_s).toString(); !name.isEmpty()) {
        const auto known = sql::verbFromName(name);
        parts += known ? verbPhrase(*known, facts.value(u"rows"_s).toInteger()) : name;
    }
    if (const QJsonObject counts = facts.value(u"counts"_s).toObject(); !counts.isEmpty()) {
        QMap<QString, qint64> numbers;
        for (auto it = counts.begin(); it != counts.end(); ++it) {
            numbers.insert(it.key(), it.value().toInteger());
        }
        const bool any = std::any_of(numbers.cbegin(), numbers.cend(), [](qint64 rows) { return rows > 0; });
        parts += any ? countsText(numbers, verb) : AuditModel::tr("nothing done"); // what the trail tells of is over
    }
    const QJsonObject totals = facts.value(u"totals"_s).toObject();
    if (!totals.isEmpty() && totals != facts.value(u"counts"_s).toObject()) {
        QMap<QString, qint64> numbers;
        for (auto it = totals.begin(); it != totals.end(); ++it) {
            numbers.insert(it.key(), it.value().toInteger());
        }
        parts += AuditModel::tr("%1 so far", "counts").arg(countsText(numbers, verb));
    }
    if (const qint64 releases = facts.value(u"releases"_s).toInteger(); releases > 0) {
        parts
            += AuditModel::tr("%Ln release(s) of claims in a cache", nullptr, int(std::min<qint64>(releases, INT_MAX)));
    }
    for (const QString &name : { u"reason"_s, u"ticket"_s, u"note"_s, u"partition"_s, u"login"_s }) {
        if (const QString text = facts.value(name).toString(); !text.isEmpty()) {
            parts += text;
        }
    }
    return parts.join(u" · "_s);
}

} // namespace idemdesk::models

#include "moc_audit_model.cpp"
