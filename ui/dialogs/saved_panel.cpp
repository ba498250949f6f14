// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/saved_panel.h"

#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "ui/dialogs/saved_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QPushButton>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

SavedPanel::SavedPanel(models::SavedConnections *saved, QWidget *parent)
    : QWidget(parent)
    , m_saved(saved)
    , m_list(new SavedList(saved, this))
    , m_new(new QPushButton(tr("New conne&ction"), this))
    , m_duplicate(new QPushButton(tr("Duplicate"), this))
    , m_remove(new QPushButton(tr("Re&move…"), this))
{
    m_new->setObjectName(u"connectNew"_s);
    m_new->setAccessibleName(tr("Enter a new connection"));
    m_duplicate->setObjectName(u"connectDuplicate"_s);
    m_duplicate->setAccessibleName(tr("Begin a new connection like the selected one"));
    m_remove->setObjectName(u"connectRemove"_s);
    m_remove->setAccessibleName(tr("Remove the selected connection"));
    for (QPushButton *button : { m_new, m_duplicate, m_remove }) {
        button->setAutoDefault(false); // Enter connects
    }
    QVBoxLayout *layout = partColumn(this);
    layout->addWidget(buddyLabel(tr("Saved connect&ions:"), m_list, this));
    layout->addWidget(m_list, 1);
    layout->addWidget(m_new);
    layout->addLayout(barRow({ m_duplicate, m_remove }));
    setFixedWidth(60 * kGrid);

    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        sync();
        emit chosen(currentId());
    });
    connect(m_list, &QListWidget::itemDoubleClicked, this, &SavedPanel::opened);
    connect(m_new, &QPushButton::clicked, this, &SavedPanel::newClicked);
    connect(m_duplicate, &QPushButton::clicked, this, [this] { emit duplicateClicked(currentId()); });
    connect(m_remove, &QPushButton::clicked, this, &SavedPanel::askRemove);
    sync();
}

QString SavedPanel::currentId() const
{
    return m_list->currentId();
}

void SavedPanel::select(const QString &id)
{
    const QSignalBlocker blocker(m_list);
    m_list->select(id);
    sync();
}

void SavedPanel::sync()
{
    const bool selected = !currentId().isEmpty();
    m_duplicate->setEnabled(selected);
    m_remove->setEnabled(selected);
}

void SavedPanel::askRemove()
{
    const models::SavedConnection *current = m_saved->find(currentId());
    if (current == nullptr) {
        return;
    }
    QMessageBox *question = questionBox(this, u"connectRemoveQuestion"_s, tr("Remove a connection"),
        tr("Remove “%1” from the saved connections?").arg(models::displayText(current->name)),
        tr("Its password is taken out of the keychain too. The database is not touched."));
    connect(addAnswer(question, u"connectRemoveYes"_s, tr("Remove")), &QPushButton::clicked, this,
        [this, id = current->id] { emit removeConfirmed(id); });
    openQuestion(question);
}

} // namespace idemdesk::ui
