// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_model.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

AuditModel::AuditModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void AuditModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_more = m_asked = false;
    endResetModel();
}

void AuditModel::append(const QList<sql::AuditRow> &rows, bool more)
{
    m_asked = true; // whoever asks while the rows go in would get them twice
    if (!rows.isEmpty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + rows.size()) - 1);
        m_rows += rows;
        endInsertRows();
    }
    m_more = more;
    m_asked = false;
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
        m_asked = true;
        m_more = m_more || (more && known == m_rows.size());
        if (newer > 0) {
            beginInsertRows({}, 0, int(newer) - 1);
            m_rows = rows.first(newer) + m_rows;
            endInsertRows();
        }
        m_asked = false;
        return;
    }
    beginResetModel();
    m_rows = rows;
    m_more = more;
    m_asked = false;
    endResetModel();
}

void AuditModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, At), index(int(m_rows.size()) - 1, At));
    }
}

bool AuditModel::canFetchMore(const QModelIndex &parent) const { return !parent.isValid() && m_more && !m_asked; }

void AuditModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent)) {
        m_asked = true;
        emit moreWanted();
    }
}

int AuditModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int AuditModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString AuditModel::text(const sql::AuditRow &row, int column) const
{
    switch (column) {
    case Seq:
        return countText(row.seq);
    case At:
        return m_format.text(row.at);
    case Who:
        return row.who;
    case What:
        return auditWhatLabel(row.what);
    case Target:
        return row.target;
    case Batch:
        return row.batch > 0 ? countText(row.batch) : QString();
    case Facts:
        return auditFactsText(row);
    case Address:
        return row.address.isEmpty() ? tr("local socket") : row.address;
    default:
        return {};
    }
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::AuditRow &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(text(row, index.column()));
    case Qt::ToolTipRole:
        return index.column() == At ? m_format.exact(row.at) : displayText(text(row, index.column()), kToolTipChars);
    case Qt::TextAlignmentRole:
        return index.column() == Seq || index.column() == Batch ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::UserRole:
        return row.action;
    default:
        return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && (section == Seq || section == Batch)) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Seq:
        return tr("Row");
    case At:
        return tr("At");
    case Who:
        return tr("Who");
    case What:
        return tr("What");
    case Target:
        return tr("Target");
    case Batch:
        return tr("Batch");
    case Facts:
        return tr("Facts");
    case Address:
        return tr("From");
    default:
        return {};
    }
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
        { u"register"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Target registered") },
        { u"unregister"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Target taken out") },
        { u"adopt"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Restored tables adopted") },
        { u"rebind"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Target bound to the restored table") },
        { u"maintain"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Old images removed") },
        { u"install"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Console installed") },
        { u"repair"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Console repaired") },
        { u"shared_login"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Shared login listed") },
        { u"detach"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition detached") },
        { u"attach"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition attached") },
        { u"drop"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Partition dropped") },
        { u"signal"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Session to be stopped") },
        { u"schedule"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Sampling set up") },
        { u"unschedule"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Sampling ended") },
        { u"import"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Log imported") },
        { u"signal_end"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "What came of it") },
        { u"ask_again"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Approval asked for again") },
        { u"runner"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Role for an owner made") },
        { u"limit"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Limit changed") },
        { u"settings"_s, QT_TRANSLATE_NOOP("idemdesk::models::AuditModel", "Settings changed") },
    };
    return labels;
}

} // namespace

QStringList auditWhats() { return whatLabels().keys(); }

QString auditWhatLabel(const QString &what)
{
    const char *label = whatLabels().value(what);
    return label != nullptr ? AuditModel::tr(label) : what;
}

QString auditFactsText(const sql::AuditRow &row)
{
    const QJsonObject facts = QJsonDocument::fromJson(row.factsJson).object();
    QStringList parts;
    if (const QString verb = facts.value(u"verb"_s).toString(); !verb.isEmpty()) {
        const auto known = sql::verbFromName(verb);
        parts += known ? verbPhrase(*known, facts.value(u"rows"_s).toInteger()) : verb;
    }
    if (const QJsonObject counts = facts.value(u"counts"_s).toObject(); !counts.isEmpty()) {
        QMap<QString, qint64> numbers;
        for (auto it = counts.begin(); it != counts.end(); ++it) {
            numbers.insert(it.key(), it.value().toInteger());
        }
        parts += countsText(numbers);
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
