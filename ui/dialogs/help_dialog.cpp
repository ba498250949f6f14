// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_dialog.h"

#include "models/help/help_pages.h"
#include "models/help/help_search.h"
#include "models/table/item_role.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/help_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kHelpWidth = 250 * kGrid;
constexpr int kHelpHeight = 170 * kGrid;
constexpr int kHelpListWidth = 64 * kGrid;
constexpr int kHelpListLeast = 50 * kGrid;
constexpr int kTopicId = Qt::UserRole + 100; // beside the roles of the delegate
constexpr int kHeadingText = kTopicId + 1;

/// The group that begins with a topic of the list; empty: it stands in the one before.
QString groupFrom(const QString &topic)
{
    return topic == u"start"   ? HelpDialog::tr("Begin here")
        : topic == u"incident" ? HelpDialog::tr("Pages")
        : topic == u"tables"   ? HelpDialog::tr("Reference")
                               : QString();
}

/// A list that ends with a whole row.
class TopicList final : public QListWidget
{
public:
    using QListWidget::QListWidget;

    void fit()
    {
        const int row = count() > 0 ? sizeHintForRow(0) : 0;
        const int room = height() - 2 * frameWidth();
        const int rest = row > 0 && room > row && count() * row > room ? room % row : 0;
        if (viewportMargins().bottom() != rest) {
            setViewportMargins(0, 0, 0, rest);
        }
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QListWidget::resizeEvent(event);
        fit();
    }
};

} // namespace

HelpDialog::HelpDialog(QWidget *parent)
    : QDialog(parent)
    , m_search(new QLineEdit(this))
    , m_found(noteLabel({}, u"helpFound"_s, this))
    , m_list(new TopicList(this))
    , m_page(new QTextBrowser(this))
{
    setObjectName(u"helpDialog"_s);
    setWindowTitle(tr("Help"));
    setAccessibleName(windowTitle());
    m_search->setObjectName(u"helpSearch"_s);
    m_search->setAccessibleName(tr("Search the help"));
    m_search->setPlaceholderText(tr("Search the help (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setObjectName(u"helpList"_s);
    m_list->setAccessibleName(tr("Pages of the help"));
    m_list->setItemDelegate(new TwoLineDelegate(TwoLineDelegate::First::Text, m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(kHelpListLeast);
    m_list->setAutoFillBackground(true);
    m_list->setBackgroundRole(QPalette::Base); // below the last whole row, too
    m_found->hide();
    m_page->setObjectName(u"helpPage"_s);
    m_page->setAccessibleName(tr("Page of the help"));
    m_page->setOpenLinks(false);
    auto *left = new QWidget(this);
    auto *column = partColumn(left);
    column->addWidget(m_search);
    column->addWidget(m_found);
    column->addWidget(m_list, 1);
    auto *split = new QSplitter(this);
    splitInTwo(split, left, m_page, 0, 1);
    split->setSizes({ kHelpListWidth, kHelpWidth - kHelpListWidth });
    auto *buttons = new ButtonRow(this);
    m_back = buttons->addAside(u"helpBack"_s, tr("&Back"));
    buttons->addStay(u"helpClose"_s, tr("Close")); // no default: Enter reads the topic that is chosen
    auto *layout = dialogColumn(this);
    layout->addWidget(split, 1);
    layout->addWidget(buttons);
    wire();
    listTopics();
    resize(kHelpWidth, kHelpHeight);
}

void HelpDialog::wire()
{
    connect(m_search, &QLineEdit::textChanged, this, &HelpDialog::search);
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpDialog::chosen);
    connect(m_list, &QListWidget::itemActivated, m_page, [this] { m_page->setFocus(); });
    connect(m_page, &QTextBrowser::anchorClicked, this,
        [this](const QUrl &link) { show(link.path().section(u".md"_s, 0, 0), {}); });
    const auto back = [this] {
        if (!m_before.isEmpty()) {
            const QString topic = m_before.takeLast();
            m_topic.clear(); // going back is no step forward
            show(topic, {});
        }
    };
    connect(m_back, &QPushButton::clicked, this, back);
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this), &QShortcut::activated, this, back);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_F), this), &QShortcut::activated, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
}

HelpDialog *HelpDialog::showTopic(QWidget *parent, const QString &topic)
{
    auto *dialog = parent->findChild<HelpDialog *>(QString(), Qt::FindDirectChildrenOnly);
    if (dialog == nullptr) {
        dialog = new HelpDialog(parent);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    dialog->turnTo(topic);
    dialog->QDialog::show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void HelpDialog::turnTo(const QString &topic, const QString &heading)
{
    m_search->clear();
    show(models::helpTopic(topic) != nullptr ? topic : models::helpTopics().constFirst().id, heading);
    m_list->setFocus();
}

/// From the search field the keys that move in a list move in it.
bool HelpDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if ((key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) && m_list->count() > 0) {
            m_list->setFocus();
            if (m_list->currentRow() < 0) {
                m_list->setCurrentRow(0);
            }
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void HelpDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_topic.isEmpty()) {
        render(); // its colours stand in the page, and in the list's headings
        if (m_search->text().simplified().isEmpty()) {
            listTopics();
            markInList();
        }
    }
}

void HelpDialog::listTopics()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const QSize row(0, std::max(Theme::scaled(kRowHeight), m_list->fontMetrics().height() + 2 * kGrid));
    for (const models::HelpTopic &topic : models::helpTopics()) {
        if (const QString group = groupFrom(topic.id); !group.isEmpty()) {
            auto *heading = new QListWidgetItem(group, m_list);
            heading->setFlags(Qt::NoItemFlags);
            heading->setFont(Theme::heading());
            heading->setForeground(themeColor(Token::MutedText));
            heading->setSizeHint(row);
        }
        auto *item = new QListWidgetItem(topic.title, m_list);
        item->setData(kTopicId, topic.id);
        item->setToolTip(topic.summary);
        item->setSizeHint(row);
    }
    m_found->hide();
    static_cast<TopicList *>(m_list)->fit();
}

/// The first hit is shown at once, while the keyboard stays in the field.
void HelpDialog::search(const QString &words)
{
    if (words.simplified().isEmpty()) {
        listTopics();
        markInList();
        mark();
        return;
    }
    listHits(words);
    if (const QListWidgetItem *first = m_list->item(0); first->data(kTopicId).isValid()) {
        show(first->data(kTopicId).toString(), first->data(kHeadingText).toString(), Step::Typed);
    } else {
        mark();
    }
}

void HelpDialog::listHits(const QString &words)
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const QList<models::HelpHit> hits = models::searchHelp(words);
    for (const models::HelpHit &hit : hits) {
        auto *item = new QListWidgetItem(hit.heading, m_list);
        item->setData(models::DetailRole, hit.heading == hit.title ? hit.excerpt : hit.title);
        item->setSizeHint(QSize(0, 2 * m_list->fontMetrics().height() + 3 * kGrid));
        item->setData(Qt::AccessibleTextRole, tr("%1, in “%2”").arg(hit.heading, hit.title));
        item->setData(kTopicId, hit.topic);
        item->setData(kHeadingText, hit.heading);
        item->setToolTip(hit.excerpt);
    }
    m_found->setText(tr("%n result(s)", nullptr, int(hits.size())));
    m_found->setVisible(!hits.isEmpty());
    if (hits.isEmpty()) {
        auto *none = new QListWidgetItem(tr("Nothing found"), m_list);
        none->setFlags(Qt::NoItemFlags);
    } else {
        m_list->setCurrentRow(0);
    }
    static_cast<TopicList *>(m_list)->fit();
}

void HelpDialog::chosen(int row)
{
    if (const QListWidgetItem *item = m_list->item(row); item != nullptr && item->data(kTopicId).isValid()) {
        show(item->data(kTopicId).toString(), item->data(kHeadingText).toString());
    }
}

void HelpDialog::show(const QString &topic, const QString &heading, Step step)
{
    if (models::helpTopic(topic) == nullptr) {
        return;
    }
    if (topic != m_topic) {
        const bool passing = step == Step::Typed && m_step == Step::Typed;
        const bool returned = passing && !m_before.isEmpty() && m_before.constLast() == topic;
        if (returned) {
            m_before.removeLast();
        } else if (!passing && !m_topic.isEmpty()) {
            m_before += m_topic;
        }
        m_topic = topic;
        m_step = returned ? Step::Asked : step;
        render();
        if (m_search->text().simplified().isEmpty()) {
            markInList();
        }
    } else if (step == Step::Asked) {
        m_step = step;
    }
    m_back->setEnabled(!m_before.isEmpty());
    mark();
    scrollTo(heading);
    scrollToHit();
}

void HelpDialog::render()
{
    const models::HelpTopic *topic = models::helpTopic(m_topic);
    m_page->setMarkdown(topic->markdown);
    styleHelpPage(m_page->document());
    m_page->setAccessibleDescription(topic->title);
    mark();
}

void HelpDialog::mark()
{
    m_page->setExtraSelections(helpMarks(m_page->document(), m_search->text()));
}

/// The first one from the heading on; the heading stays at the top where both are seen.
void HelpDialog::scrollToHit()
{
    const int from = m_page->textCursor().position();
    const QList<QTextEdit::ExtraSelection> marks = m_page->extraSelections();
    const QTextEdit::ExtraSelection *first = nullptr;
    for (const QTextEdit::ExtraSelection &each : marks) {
        const int at = each.cursor.selectionStart();
        if (at >= from && (first == nullptr || at < first->cursor.selectionStart())) {
            first = &each;
        }
    }
    if (first != nullptr) {
        const QRect place = m_page->cursorRect(first->cursor);
        const int room = m_page->viewport()->height();
        if (place.top() < 0 || place.bottom() > room) {
            QScrollBar *bar = m_page->verticalScrollBar();
            bar->setValue(bar->value() + place.top() - room / 3);
        }
    }
}

void HelpDialog::scrollTo(const QString &heading)
{
    m_page->moveCursor(QTextCursor::Start);
    for (QTextBlock block = m_page->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 1 && block.text() == heading) {
            m_page->verticalScrollBar()->setValue(m_page->verticalScrollBar()->maximum());
            m_page->setTextCursor(QTextCursor(block));
            m_page->ensureCursorVisible();
            return;
        }
    }
}

void HelpDialog::markInList()
{
    const QSignalBlocker blocker(m_list);
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem *item = m_list->item(row);
        if (item->data(kTopicId).toString() == m_topic && item->data(kHeadingText).toString().isEmpty()) {
            m_list->setCurrentRow(row);
            return;
        }
    }
}

} // namespace idemdesk::ui
