// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/mapping_form.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/mapping/mapping_controller.h"
#include "ui/dialogs/mapping_delegates.h"
#include "ui/dialogs/wrapped_rows.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr QLatin1StringView kScope { "scope/" };
constexpr int kScopeWidth = 32 * kGrid;
constexpr int kRolePartHeight = 72 * kGrid; // both for their relation alone
constexpr int kStatePartHeight = 36 * kGrid;
constexpr qsizetype kMostNamedColumns = 3; // of the identity

QVBoxLayout *mappingColumn(QWidget *parent)
{
    QVBoxLayout *layout = partColumn(parent);
    layout->setSpacing(kGrid);
    return layout;
}

} // namespace

MappingForm::MappingForm(models::MappingController *controller, QAbstractItemModel *findings, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
{
    setObjectName(u"mappingForm"_s);
    auto *lower = new QSplitter(Qt::Horizontal, this);
    lower->setObjectName(u"mappingLower"_s);
    auto *parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(u"mappingParts"_s);
    // The keyboard goes through the parts as they are made.
    QWidget *names = nameRow();
    QWidget *identity = identityRow();
    QWidget *roles = rolesPart();
    m_statesPart = statesPart();
    m_findings = findingsPart(findings);
    m_lower = lower;
    splitInTwo(lower, m_statesPart, m_findings, 1, 1);
    splitInTwo(parts, roles, lower, 2, 1);
    parts->setSizes({ kRolePartHeight, kStatePartHeight }); // most have more columns to map than status values
    for (QSplitter *splitter : { lower, parts }) {
        splitter->setHandleWidth(3 * kGrid);
    }
    QVBoxLayout *layout = partColumn(this);
    layout->addWidget(names);
    layout->addWidget(identity);
    layout->addWidget(parts, 1);
    layout->addWidget(m_unmapped);
    layout->addWidget(checkRow());
}

QWidget *MappingForm::nameRow()
{
    auto *row = new QWidget(this);
    m_name = new QLineEdit(row);
    m_name->setObjectName(u"mappingName"_s);
    m_name->setAccessibleName(tr("Name of the profile"));
    m_name->setValidator(new QRegularExpressionValidator(QRegularExpression(u"[a-z0-9][a-z0-9_-]{0,62}"_s), m_name));
    m_title = new QLineEdit(row);
    m_title->setObjectName(u"mappingTitle"_s);
    m_title->setAccessibleName(tr("Title"));
    m_kind = new QComboBox(row);
    m_kind->setObjectName(u"mappingKind"_s);
    m_kind->setAccessibleName(tr("Kind"));
    for (const sql::TargetKind kind : sql::kAllOf<sql::TargetKind>) {
        m_kind->addItem(models::kindLabel(kind), int(kind));
    }
    m_name->setToolTip(tr("The name is also the file's name: a-z, 0-9, “-” and “_”."));

    QGridLayout *layout = fieldGrid(row);
    layout->addWidget(buddyLabel(tr("&Name"), m_name, row), 0, 0);
    layout->addWidget(m_name, 0, 1);
    layout->addWidget(buddyLabel(tr("&Title"), m_title, row), 0, 2);
    layout->addWidget(m_title, 0, 3);
    layout->addWidget(buddyLabel(tr("&Kind"), m_kind, row), 0, 4);
    layout->addWidget(m_kind, 0, 5);
    layout->setColumnStretch(1, 1);
    layout->setColumnStretch(3, 1);

    connect(m_name, &QLineEdit::textChanged, m_controller, &models::MappingController::setName);
    connect(m_name, &QLineEdit::textChanged, this, &MappingForm::nameEdited);
    connect(m_title, &QLineEdit::textChanged, m_controller, &models::MappingController::setTitle);
    connect(m_kind, &QComboBox::currentIndexChanged, m_controller,
        [this] { m_controller->setKind(static_cast<sql::TargetKind>(m_kind->currentData().toInt())); });
    return row;
}

/// What tells rows apart.
QWidget *MappingForm::identityRow()
{
    auto *row = new QWidget(this);
    m_identity = noteLabel({}, u"mappingIdentity"_s, row);
    m_identityChoice = new QToolButton(row);
    m_identityChoice->setObjectName(u"mappingIdentityChoice"_s);
    m_identityChoice->setAccessibleName(tr("Columns that tell rows apart"));
    m_identityChoice->setFocusPolicy(Qt::StrongFocus);
    m_identityChoice->setPopupMode(QToolButton::InstantPopup);
    m_identityChoice->setMenu(new QMenu(m_identityChoice));
    QHBoxLayout *line = barRow({}, row);
    line->addWidget(buddyLabel(tr("R&ow identity"), m_identityChoice, row));
    line->addWidget(m_identityChoice);
    line->addWidget(m_identity, 1);
    return row;
}

/// Names a new part of the scope, which then is a line of the table beneath.
QWidget *MappingForm::scopeRow(QWidget *parent)
{
    auto *row = new QWidget(parent);
    m_scope = new QLineEdit(row);
    m_scope->setObjectName(u"mappingScopeLabel"_s);
    m_scope->setAccessibleName(tr("Name of a new scope part"));
    m_scope->setPlaceholderText(tr("such as “tenant”"));
    m_scope->setMinimumWidth(Theme::scaled(kScopeWidth));
    m_addScope = new QPushButton(themedIcon(u"plus"_s), tr("&Add"), row);
    m_addScope->setObjectName(u"mappingAddScope"_s);
    m_addScope->setAccessibleName(tr("Add a scope part of this name"));
    m_removeScope = new QPushButton(tr("&Remove"), row);
    m_removeScope->setObjectName(u"mappingRemoveScope"_s);
    m_removeScope->setAccessibleName(tr("Remove the selected scope part"));
    barRow({ buddyLabel(tr("S&cope part"), m_scope, row), m_scope, m_addScope, m_removeScope }, row);
    for (QPushButton *button : { m_addScope, m_removeScope }) {
        button->setAutoDefault(false);
        button->setToolTip(button->accessibleName());
    }
    connect(m_addScope, &QPushButton::clicked, this, &MappingForm::addScopePart);
    connect(m_removeScope, &QPushButton::clicked, this, &MappingForm::removeScopePart);
    connect(m_scope, &QLineEdit::textChanged, this, &MappingForm::refreshState);
    return row;
}

QTableView *MappingForm::table(const QString &objectName, const QString &accessibleName, QAbstractItemModel *model)
{
    auto *view = new QTableView(this);
    setUpSmallTable(view, { objectName, accessibleName, model, {} });
    view->setEditTriggers(
        QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    view->horizontalHeader()->setStretchLastSection(true);
    return view;
}

QWidget *MappingForm::rolesPart()
{
    using Model = models::MappingModel;
    auto *part = new QWidget(this);
    QWidget *scope = scopeRow(part);
    m_roles = table(u"mappingTable"_s, tr("Roles and their expressions"), m_controller->mapping());
    m_roles->setItemDelegate(new FormDelegate(Model::FailedRole, m_roles));
    m_roles->setItemDelegateForColumn(Model::Title, new RoleDelegate(Model::FailedRole, m_roles));
    m_roles->setItemDelegateForColumn(Model::Sql, new SqlDelegate(Model::FailedRole, m_roles));
    m_roles->setItemDelegateForColumn(Model::Note, new SentenceDelegate(Model::FailedRole, m_roles));
    wrapRows(m_roles, Theme::scaled(kCompactRowHeight)); // what is wrong with a line is read whole
    m_roles->horizontalHeader()->resizeSection(Model::Title, 36 * kGrid);
    m_roles->horizontalHeader()->resizeSection(Model::Sql, 64 * kGrid);
    m_roles->horizontalHeader()->resizeSection(Model::Sample, 60 * kGrid);
    m_sampleNote = noteLabel({}, u"mappingSampleNote"_s, part);

    QLabel *title = strongLabel(tr("Column &mapping"), part);
    title->setObjectName(u"mappingRolesTitle"_s);
    title->setBuddy(m_roles);
    QHBoxLayout *head = barRow({ title });
    head->addWidget(m_sampleNote, 1);
    head->addWidget(scope);
    auto *layout = mappingColumn(part);
    layout->addLayout(head);
    layout->addWidget(m_roles, 1);
    connect(m_controller->mapping(), &QAbstractItemModel::modelReset, this, &MappingForm::showNotes);
    connect(m_controller->mapping(), &QAbstractItemModel::dataChanged, this, &MappingForm::showNotes);
    connect(m_roles->selectionModel(), &QItemSelectionModel::currentChanged, this, &MappingForm::refreshState);
    return part;
}

QWidget *MappingForm::statesPart()
{
    using Model = models::StatesModel;
    auto *part = new QWidget(this);
    m_states = table(u"statesTable"_s, tr("Status values and the states they stand for"), m_controller->states());
    m_states->setItemDelegate(new FormDelegate(Model::UnmappedRole, m_states));
    m_states->setItemDelegateForColumn(Model::State, new StateChoiceDelegate(Model::UnmappedRole, m_states));
    m_states->horizontalHeader()->resizeSection(Model::Status, 40 * kGrid);
    m_states->horizontalHeader()->resizeSection(Model::Rows, 26 * kGrid);
    m_unmapped = noteLabel({}, u"statesUnmapped"_s, this);
    QLabel *title = strongLabel(tr("&States"), part);
    title->setBuddy(m_states);
    auto *layout = mappingColumn(part);
    layout->addWidget(title);
    layout->addWidget(m_states, 1);
    connect(m_controller->states(), &QAbstractItemModel::modelReset, this, &MappingForm::refreshState);
    connect(m_controller->states(), &QAbstractItemModel::dataChanged, this, &MappingForm::refreshState);
    return part;
}

QWidget *MappingForm::findingsPart(QAbstractItemModel *findings)
{
    auto *part = new QWidget(this);
    auto *list = new QListView(part);
    list->setObjectName(u"mappingFindings"_s);
    list->setAccessibleName(tr("Findings"));
    list->setModel(findings);
    list->setItemDelegate(new SentenceDelegate(-1, list));
    list->setWordWrap(true);
    list->setResizeMode(QListView::Adjust);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    QLabel *title = strongLabel(tr("F&indings"), part);
    title->setBuddy(list);
    auto *layout = mappingColumn(part);
    layout->addWidget(title);
    layout->addWidget(list, 1);
    part->hide();
    return part;
}

QWidget *MappingForm::checkRow()
{
    auto *row = new QWidget(this);
    m_checkNote = noteLabel({}, u"mappingCheckNote"_s, row);
    m_check = new QPushButton(tr("C&heck live table"), row);
    m_check->setObjectName(u"mappingCheck"_s);
    m_check->setAccessibleName(tr("Check the mapping against the live table"));
    m_check->setAutoDefault(false);
    connect(m_check, &QPushButton::clicked, this, [this] {
        if (m_controller->busy()) {
            return; // it stays enabled meanwhile: the keyboard would go on to the next field
        }
        if (m_controller->mayValidate()) {
            m_controller->validate();
        } else {
            emit sqlWanted();
        }
    });
    QHBoxLayout *layout = barRow({}, row);
    layout->addWidget(m_checkNote, 1);
    layout->addWidget(m_check);
    return row;
}

void MappingForm::reload()
{
    const sql::Profile &profile = m_controller->profile();
    // The model's own texts come back; nothing of that is an edit.
    const QSignalBlocker nameBlocker(m_name);
    const QSignalBlocker titleBlocker(m_title);
    const QSignalBlocker kindBlocker(m_kind);
    m_name->setText(profile.name);
    m_title->setText(profile.title);
    m_kind->setCurrentIndex(m_kind->findData(int(profile.kind)));
    showIdentity();
    offerColumns();
    m_roles->setCurrentIndex(m_controller->mapping()->index(0, models::MappingModel::Sql));
    refreshState();
}

void MappingForm::showIdentity()
{
    QStringList columns;
    for (const QString &name : m_controller->profile().identity) {
        columns.append(models::displayText(name, 60));
    }
    const QString list
        = columns.mid(0, kMostNamedColumns).join(u", "_s) + (columns.size() > kMostNamedColumns ? u", …"_s : QString());
    m_identityChoice->setText(columns.isEmpty() ? tr("Choose columns") : QString(list).replace(u'&', u"&&"_s));
    m_identityChoice->setToolTip(columns.join(u", "_s));
    m_identity->setText(columns.isEmpty()    ? tr("What tells one row from all others is not known yet.")
            : m_controller->identityProven() ? tr("A unique index identifies each row.")
                                             : tr("No unique index: two rows may share it."));
}

void MappingForm::offerColumns()
{
    QMenu *menu = m_identityChoice->menu();
    menu->clear();
    for (const sql::ColumnFacts &column : m_controller->relation().columns) {
        QAction *action = menu->addAction(models::displayText(column.name, 60).replace(u'&', u"&&"_s));
        action->setCheckable(true);
        action->setChecked(m_controller->profile().identity.contains(column.name));
        connect(action, &QAction::toggled, this, [this, name = column.name](bool wanted) {
            QStringList columns = m_controller->profile().identity;
            columns.removeAll(name);
            if (wanted) {
                columns.append(name);
            }
            m_controller->setIdentity(columns);
            showIdentity();
        });
    }
}

/// Without a status there is nothing to map to states: which state every row has then is said instead.
QString MappingForm::statesText() const
{
    const sql::Profile &profile = m_controller->profile();
    const int unmapped = m_controller->states()->unmappedCount();
    if (!profile.role(sql::Role::Status).present()) {
        return profile.otherStates
            ? tr("No status is mapped: every row counts as “%1”.").arg(models::stateLabel(*profile.otherStates))
            : tr("No status is mapped: no row's state is known.");
    }
    return unmapped > 0 ? tr("%n status value(s) occur that stand for no state.", nullptr, unmapped)
        : !m_controller->states()->counted()      ? tr("The status values of the table are not read yet.")
        : m_controller->states()->rowCount() == 0 ? tr("The sample has no status value.")
                                                  : tr("Every status value in the sample stands for a state.");
}

/// How much is mapped. Where no line has a note, its samples get the room.
void MappingForm::showNotes()
{
    const QList<models::MappingLine> &lines = m_controller->mapping()->rows();
    const auto mapped
        = std::count_if(lines.cbegin(), lines.cend(), [](const auto &line) { return !line.sql.isEmpty(); });
    m_sampleNote->setText(tr("%1 of %2 mapped; only the key is required. F2 edits.").arg(mapped).arg(lines.size()));
    m_sampleNote->setToolTip(tr("SQL that you typed is tested before it is used."));
    m_roles->setColumnHidden(models::MappingModel::Note,
        std::none_of(lines.cbegin(), lines.cend(), [](const auto &line) { return !line.note.isEmpty(); }));
}

void MappingForm::refreshState()
{
    const bool mapped = m_controller->profile().role(sql::Role::Status).present();
    const int unmapped = mapped ? m_controller->states()->unmappedCount() : 0;
    m_unmapped->setText(statesText());
    m_unmapped->setForegroundRole(unmapped > 0 ? QPalette::WindowText : QPalette::PlaceholderText);
    const bool states = mapped || m_controller->states()->rowCount() > 0; // without a status, what every row counts as
    m_statesPart->setVisible(states);
    m_findings->setVisible(m_controller->checked());
    m_lower->setVisible(states || m_controller->checked());
    // One line is no list: without a status the columns get the room.
    const int lines = m_states->horizontalHeader()->sizeHint().height() + 2 * m_states->frameWidth()
        + m_controller->states()->rowCount() * m_states->verticalHeader()->defaultSectionSize();
    m_lower->setMaximumHeight(
        mapped || m_controller->checked() ? QWIDGETSIZE_MAX : lines + 2 * kGrid + fontMetrics().height());
    m_checkNote->setText(m_controller->checked()
            ? tr("Checked against the live table. An edit takes that back.")
            : tr("Not checked yet. The check reads the live table and changes nothing."));
    m_addScope->setEnabled(!m_scope->text().trimmed().isEmpty());
    const QString line = m_roles->currentIndex().data(models::MappingModel::LineRole).toString();
    m_removeScope->setEnabled(line.startsWith(kScope));
}

void MappingForm::addScopePart()
{
    m_controller->mapping()->addScopePart(m_scope->text());
    m_scope->clear();
    m_roles->setFocus(Qt::OtherFocusReason);
}

void MappingForm::removeScopePart()
{
    m_controller->mapping()->removeScopePart(m_roles->currentIndex().row() - 1); // the key stands before the parts
    refreshState();
}

void MappingForm::focusName()
{
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

bool MappingForm::nameValid() const
{
    return m_name->hasAcceptableInput();
}

} // namespace idemdesk::ui
