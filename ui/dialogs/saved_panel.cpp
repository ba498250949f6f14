// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/saved_panel.h"

#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "ui/dialogs/saved_list.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSavedPanelWidth = 60 * kGrid;
constexpr int kEmptyIcon = 8 * kGrid;

/// The ground of the list, without one.
class EmptyGround final : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
    }
};

} // namespace

SavedPanel::SavedPanel(models::SavedConnections *saved, QWidget *parent)
    : QWidget(parent)
    , m_saved(saved)
    , m_list(new SavedList(saved, this))
    , m_empty(buildEmpty())
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
    QLabel *title = strongLabel(tr("Saved connect&ions"), this);
    title->setBuddy(m_list);
    layout->addWidget(title);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_new);
    layout->addLayout(barRow({ m_duplicate, m_remove }));
    setFixedWidth(kSavedPanelWidth);

    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        sync();
        emit chosen(currentId());
    });
    connect(m_list, &QListWidget::itemDoubleClicked, this, &SavedPanel::opened);
    connect(m_new, &QPushButton::clicked, this, &SavedPanel::newClicked);
    connect(m_duplicate, &QPushButton::clicked, this, [this] { emit duplicateClicked(currentId()); });
    connect(m_remove, &QPushButton::clicked, this, &SavedPanel::askRemove);
    connect(saved, &models::SavedConnections::changed, this, &SavedPanel::sync); // the list hears of it before
    sync();
}

/// What will stand here, and what to do for it.
QWidget *SavedPanel::buildEmpty()
{
    auto *empty = new EmptyGround(this);
    empty->setObjectName(u"savedEmpty"_s);
    auto *icon = new QLabel(empty);
    const auto paint
        = [icon] { icon->setPixmap(themedIcon(u"connect"_s, Token::MutedText).pixmap(QSize(kEmptyIcon, kEmptyIcon))); };
    paint();
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, icon, paint);
    }
    icon->setTextFormat(Qt::PlainText);
    QLabel *title = strongLabel(tr("No saved connection yet"), empty);
    title->setObjectName(u"savedEmptyTitle"_s);
    QLabel *text
        = noteLabel(tr("Fill in the form and press Save. The connection then stands here, one double-click away."),
            u"savedEmptyText"_s, empty);
    empty->setAccessibleName(title->text());
    empty->setAccessibleDescription(text->text());
    QVBoxLayout *layout = partColumn(empty);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    layout->addStretch(2);
    for (QLabel *label : { icon, title, text }) {
        label->setAlignment(Qt::AlignCenter);
        layout->addWidget(label);
    }
    layout->addStretch(3);
    return empty;
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
    const bool any = m_list->count() > 0;
    m_list->setVisible(any);
    m_empty->setVisible(!any);
    for (QPushButton *button : { m_new, m_duplicate, m_remove }) {
        button->setVisible(any); // without one, the form is a new connection already
    }
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
