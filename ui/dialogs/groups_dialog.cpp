// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/groups_dialog.h"

#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "ui/dialogs/group_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"

#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kGroupsWidth = 190 * kGrid;
constexpr int kGroupsHeight = 110 * kGrid;
constexpr int kGroupList = 56 * kGrid;

} // namespace

GroupsDialog::GroupsDialog(models::GroupStore *groups, models::SavedConnections *connections, QWidget *parent)
    : QDialog(parent)
    , m_groups(groups)
    , m_connections(connections)
    , m_list(new QListWidget(this))
    , m_none(noteLabel(tr("No group is saved yet. Fill in the form, or import a file."), u"groupsNone"_s, this))
    , m_form(new GroupForm(connections, this))
    , m_notice(new NoticeBar(this))
    , m_buttons(new ButtonRow(this))
    , m_new(new QPushButton(tr("New &group"), this))
    , m_remove(new QPushButton(tr("Remo&ve…"), this))
    , m_import(new QPushButton(tr("&Import…"), this))
    , m_export(new QPushButton(tr("&Export…"), this))
{
    setObjectName(u"groupsDialog"_s);
    setWindowTitle(tr("Groups of databases"));
    setAccessibleName(windowTitle());
    layOut();
    wire();
    fillList();
    showGroup(m_groups->all().isEmpty() ? QString() : m_groups->all().constFirst().name);
    m_groups->all().isEmpty() ? m_form->focusFirst() : m_list->setFocus();
}

void GroupsDialog::layOut()
{
    const std::pair<QPushButton *, QString> named[] = { { m_new, u"groupsNew"_s }, { m_remove, u"groupsRemove"_s },
        { m_import, u"groupsImport"_s }, { m_export, u"groupsExport"_s } };
    for (const auto &[button, name] : named) {
        button->setObjectName(name);
        button->setAccessibleName(button->text().remove(u'&').remove(u'…'));
        button->setAutoDefault(false);
    }
    m_list->setObjectName(u"groupsList"_s);
    m_list->setAccessibleName(tr("Saved groups"));
    m_notice->setObjectName(u"groupsNotice"_s);
    m_save = m_buttons->addAside(u"groupsSave"_s, tr("&Save"));
    m_open = m_buttons->addGo(u"groupsOpen"_s, tr("Open"));
    m_buttons->addStay(u"groupsCancel"_s, tr("Cancel"));
    m_buttons->setDefault(m_open);
    guideEnter(this);
    auto *panel = new QWidget(this);
    panel->setFixedWidth(kGroupList);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QVBoxLayout *left = partColumn(panel);
    QLabel *title = strongLabel(tr("Saved groups"), panel);
    title->setBuddy(m_list);
    left->addWidget(title);
    left->addWidget(m_list, 1);
    left->addWidget(m_none, 1);
    left->addLayout(barRow({ m_new, m_remove }));
    left->addLayout(barRow({ m_import, m_export }));
    auto *columns = new QHBoxLayout;
    columns->setSpacing(5 * kGrid);
    columns->addWidget(panel);
    columns->addWidget(m_form, 1);
    auto *layout = dialogColumn(this);
    layout->addLayout(columns, 1);
    layout->addWidget(m_notice);
    layout->addWidget(m_buttons);
    resize(kGroupsWidth, kGroupsHeight);
}

void GroupsDialog::wire()
{
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem *item) {
        if (item == nullptr || item->data(Qt::UserRole).toString() == m_shown) {
            return;
        }
        // Later: the list is still in the middle of changing its selection.
        QMetaObject::invokeMethod(
            this,
            [this, name = item->data(Qt::UserRole).toString()] {
                fillList(); // what is in the form stays selected until the person decides
                leaveForm([this, name] { showGroup(name); });
            },
            Qt::QueuedConnection);
    });
    connect(m_list, &QListWidget::itemDoubleClicked, this, &GroupsDialog::openGroup);
    connect(m_form, &GroupForm::changed, this, &GroupsDialog::sync);
    connect(m_new, &QPushButton::clicked, this, [this] {
        leaveForm([this] {
            showGroup({});
            m_form->focusFirst();
        });
    });
    connect(m_remove, &QPushButton::clicked, this, &GroupsDialog::remove);
    connect(m_import, &QPushButton::clicked, this, [this] { leaveForm([this] { importFile(); }); });
    connect(m_export, &QPushButton::clicked, this, &GroupsDialog::exportFile);
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (save()) {
            m_notice->showNotice(NoticeBar::Kind::Good, tr("The group is saved."));
        }
    });
    connect(m_open, &QPushButton::clicked, this, &GroupsDialog::openGroup);
}

/// The group in the form is the one that is selected.
void GroupsDialog::fillList()
{
    m_list->setVisible(!m_groups->all().isEmpty());
    m_none->setVisible(m_groups->all().isEmpty());
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const models::SavedGroup &group : m_groups->all()) {
        QStringList labels;
        for (const models::SavedGroupMember &member : group.members) {
            labels += member.label;
        }
        auto *item = new QListWidgetItem(models::displayText(group.name), m_list);
        item->setData(Qt::UserRole, group.name);
        item->setToolTip(models::displayText(labels.join(u", "_s), models::kToolTipChars));
        if (group.name == m_shown) {
            m_list->setCurrentItem(item);
        }
    }
    if (m_shown.isEmpty()) {
        m_list->setCurrentItem(nullptr);
        m_list->clearSelection();
    }
}

void GroupsDialog::showGroup(const QString &name)
{
    const models::SavedGroup *group = m_groups->find(name);
    m_shown = group == nullptr ? QString() : name;
    m_form->setGroup(group == nullptr ? models::SavedGroup() : *group);
    m_notice->clear();
    fillList();
    sync();
}

void GroupsDialog::leaveForm(const std::function<void()> &next)
{
    if (!m_form->edited()) {
        next();
        return;
    }
    QMessageBox *question = questionBox(this, u"groupEditsQuestion"_s, tr("Unsaved changes"),
        tr("The group in the form was changed and not saved."), tr("Save it before another one is shown?"));
    connect(addAnswer(question, u"groupEditsSave"_s, tr("Save"), QMessageBox::AcceptRole), &QPushButton::clicked, this,
        [this, next] {
            if (save()) {
                next();
            }
        });
    connect(addAnswer(question, u"groupEditsDiscard"_s, tr("Discard")), &QPushButton::clicked, this, next);
    openQuestion(question);
}

bool GroupsDialog::save()
{
    const models::SavedGroup group = m_form->group();
    if (const auto saved = m_groups->save(group, m_shown); !saved) {
        m_notice->showError(saved.error());
        return false;
    }
    m_notice->clear();
    m_shown = group.name;
    m_form->adopt();
    fillList();
    sync();
    return true;
}

void GroupsDialog::openGroup()
{
    if ((m_form->edited() || m_shown.isEmpty()) && !save()) {
        return;
    }
    if (const models::SavedGroup *group = m_groups->find(m_shown)) {
        const models::GroupPlaces places = m_groups->places(*group);
        accept();
        emit openRequested(places);
    }
}

void GroupsDialog::remove()
{
    QMessageBox *question = questionBox(this, u"groupRemoveQuestion"_s, tr("Remove a group"),
        tr("Remove “%1” from the saved groups?").arg(models::displayText(m_shown)),
        tr("Its connections stay, and no database is touched."));
    connect(addAnswer(question, u"groupRemoveYes"_s, tr("Remove")), &QPushButton::clicked, this, [this] {
        m_groups->remove(m_shown);
        showGroup(m_groups->all().isEmpty() ? QString() : m_groups->all().constFirst().name);
    });
    openQuestion(question);
}

void GroupsDialog::importFile()
{
    QFileDialog *dialog = openFileDialog(this, u"groupsImportFile"_s, tr("Import a group"), { tr("Groups (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const auto group = m_groups->read(path);
        if (!group) {
            m_notice->showError(group.error());
            return;
        }
        showGroup({});
        m_form->setGroup(*group); // not saved yet: the name may be taken
        if (const auto saved = m_groups->save(*group); !saved) {
            m_notice->showError(saved.error());
            return;
        }
        showGroup(group->name);
        m_notice->showNotice(NoticeBar::Kind::Good, tr("The group is imported."));
    });
    openDialog(dialog);
}

void GroupsDialog::exportFile()
{
    const models::SavedGroup *group = m_groups->find(m_shown);
    if (group == nullptr) {
        return;
    }
    QFileDialog *dialog = saveFileDialog(
        this, u"groupsExportFile"_s, tr("Export the group"), group->name + u".json"_s, { tr("Groups (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this, whole = *group](const QString &path) {
        if (const auto written = m_groups->write(whole, path); !written) {
            m_notice->showError(written.error());
        } else {
            m_notice->showNotice(NoticeBar::Kind::Good, tr("Written to %1.").arg(path),
                tr("The file holds no password. idemdeskctl takes it with --group."));
        }
    });
    openDialog(dialog);
}

void GroupsDialog::sync()
{
    const bool known = !m_shown.isEmpty();
    m_remove->setEnabled(known);
    m_export->setEnabled(known && !m_form->edited());
    m_save->setEnabled(m_form->edited() || !known);
    m_open->setText(m_form->edited() ? tr("Save and open") : tr("Open"));
}

} // namespace idemdesk::ui
