// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/group_form.h"

#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLabelWidth = 30 * kGrid;
constexpr int kLeastConnectionChars = 16;
constexpr int kMembersHeight = 48 * kGrid;
constexpr int kConninfoRole = Qt::UserRole + 1; // of an entry that is no saved connection

} // namespace

GroupForm::GroupForm(models::SavedConnections *connections, QWidget *parent)
    : QWidget(parent)
    , m_connections(connections)
    , m_name(new QLineEdit(this))
    , m_kind(new QComboBox(this))
    , m_add(new QPushButton(tr("Add a &member"), this))
{
    m_name->setObjectName(u"groupName"_s);
    m_name->setPlaceholderText(tr("such as payments"));
    m_kind->setObjectName(u"groupKind"_s);
    m_kind->addItem(tr("Regions: each has its own copy of the keys"), int(sql::GroupKind::Regions));
    m_kind->addItem(tr("Shards: each has a part of the keys"), int(sql::GroupKind::Shards));
    m_kind->addItem(tr("Replicas: one has the keys, others follow it"), int(sql::GroupKind::Replicas));
    m_add->setObjectName(u"groupAddMember"_s);
    m_add->setAccessibleName(tr("Add a member to the group"));
    m_add->setAutoDefault(false);
    auto *fields = new QWidget(this);
    QFormLayout *form = formColumn(fields);
    addRow(form, tr("&Name"), m_name);
    addRow(form, tr("&Kind"), m_kind);
    auto *members = new QWidget(this);
    m_members = partColumn(members);
    m_members->addWidget(m_add, 0, Qt::AlignLeft); // beneath the last of them
    m_members->addStretch(1);
    auto *area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setMinimumHeight(kMembersHeight);
    area->setWidget(members);
    QVBoxLayout *layout = partColumn(this);
    layout->addWidget(fields);
    layout->addWidget(strongLabel(tr("Members"), this));
    layout->addWidget(noteLabel(
        tr("A label, such as eu, and the saved connection that it stands for."), u"groupMembersNote"_s, this));
    layout->addWidget(area, 1);
    connect(m_name, &QLineEdit::textChanged, this, &GroupForm::changed);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &GroupForm::changed);
    connect(m_add, &QPushButton::clicked, this, [this] {
        addLine({});
        m_lines.constLast().label->setFocus();
        emit changed();
    });
}

void GroupForm::fillConnections(QComboBox *box, const models::SavedGroupMember &member) const
{
    box->addItem(tr("Pick a connection"));
    for (const models::SavedConnection &saved : m_connections->all()) {
        box->addItem(models::displayText(saved.name), saved.id);
        box->setItemData(box->count() - 1, models::conninfoSummary(saved.conninfo), Qt::ToolTipRole);
    }
    if (!member.conninfo.isEmpty()) { // from a file
        box->addItem(models::displayText(models::conninfoSummary(member.conninfo)));
        box->setItemData(box->count() - 1, member.conninfo, kConninfoRole);
        box->setCurrentIndex(box->count() - 1);
    } else if (!member.connectionId.isEmpty()) {
        const int at = box->findData(member.connectionId);
        if (at < 0) {
            box->addItem(tr("Its connection was deleted"), member.connectionId);
        }
        box->setCurrentIndex(at < 0 ? box->count() - 1 : at);
    }
}

void GroupForm::addLine(const models::SavedGroupMember &member)
{
    Line line;
    line.widget = new QWidget(this);
    line.label = new QLineEdit(member.label, line.widget);
    line.label->setFixedWidth(kLabelWidth);
    line.label->setPlaceholderText(tr("Label"));
    line.connection = new QComboBox(line.widget);
    // A long name is cut in the list; it does not push the buttons out of sight.
    line.connection->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    line.connection->setMinimumContentsLength(kLeastConnectionChars);
    line.remove = new QPushButton(tr("Take out"), line.widget);
    line.remove->setAutoDefault(false);
    fillConnections(line.connection, member);
    auto *row = barRow({ line.label }, line.widget);
    row->addWidget(line.connection, 1);
    row->addWidget(line.remove);
    m_members->insertWidget(m_members->count() - 2, line.widget);
    // Made later than the dialog's buttons, but reached before them.
    QWidget *before = m_lines.isEmpty() ? static_cast<QWidget *>(m_kind) : m_lines.constLast().remove;
    for (QWidget *next : std::initializer_list<QWidget *> { line.label, line.connection, line.remove, m_add }) {
        setTabOrder(before, next);
        before = next;
    }
    m_lines += line;
    nameLines();
    line.widget->show();
    connect(line.label, &QLineEdit::textChanged, this, &GroupForm::changed);
    connect(line.connection, &QComboBox::currentIndexChanged, this, &GroupForm::changed);
    connect(line.remove, &QPushButton::clicked, this, [this, widget = line.widget] { removeLine(widget); });
}

void GroupForm::removeLine(QWidget *widget)
{
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        if (m_lines.at(i).widget == widget) {
            m_lines.removeAt(i);
            break;
        }
    }
    widget->hide();
    widget->deleteLater(); // its own button was pressed
    nameLines();
    m_add->setFocus();
    emit changed();
}

/// For screen readers, tests and the help of fields: by their place.
void GroupForm::nameLines()
{
    for (int i = 0; i < m_lines.size(); ++i) {
        const Line &line = m_lines.at(i);
        const QString number = QString::number(i + 1);
        line.label->setObjectName(u"groupLabel"_s + number);
        line.label->setAccessibleName(tr("Label of member %1").arg(number));
        line.connection->setObjectName(u"groupConnection"_s + number);
        line.connection->setAccessibleName(tr("Connection of member %1").arg(number));
        line.remove->setObjectName(u"groupTakeOut"_s + number);
        line.remove->setAccessibleName(tr("Take member %1 out").arg(number));
    }
}

void GroupForm::setGroup(const models::SavedGroup &group)
{
    const QSignalBlocker blocker(this);
    m_name->setText(group.name);
    m_kind->setCurrentIndex(m_kind->findData(int(group.kind)));
    for (const Line &line : std::as_const(m_lines)) {
        delete line.widget;
    }
    m_lines.clear();
    for (const models::SavedGroupMember &member : group.members) {
        addLine(member);
    }
    while (m_lines.size() < 2) {
        addLine({});
    }
    m_before = this->group();
    m_before.lastUsed = group.lastUsed;
}

models::SavedGroup GroupForm::group() const
{
    models::SavedGroup group;
    group.name = m_name->text().trimmed();
    group.kind = static_cast<sql::GroupKind>(m_kind->currentData().toInt());
    group.lastUsed = m_before.lastUsed;
    for (const Line &line : m_lines) {
        group.members += models::SavedGroupMember { line.label->text().trimmed(),
            line.connection->currentData().toString(), line.connection->currentData(kConninfoRole).toString() };
    }
    return group;
}

void GroupForm::focusFirst()
{
    m_name->setFocus();
    m_name->selectAll();
}

} // namespace idemdesk::ui
