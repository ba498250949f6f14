// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/filter_bar.h"

#include "models/filter/filter_edit.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/keys/key_browser.h"
#include "models/keys/ready_views.h"
#include "models/settings.h"
#include "ui/pages/keys/filter_completer.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/wrap_row.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QTextCharFormat>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDebounceMs = 300;
constexpr int kMostHistoryShown = 20;
const QString kConflictTerm = QStringLiteral("state:conflict");
const QString kStuckTerm = QStringLiteral("state:stuck");

struct ChipSpec {
    QString title;
    QString term;
    QString help;
    bool (*possible)(const sql::Profile &profile);
    QString impossible; ///< why, where it is not
};

QList<ChipSpec> chipSpecs()
{
    const auto always = [](const sql::Profile &) { return true; };
    return {
        { FilterBar::tr("Stuck"), kStuckTerm,
            FilterBar::tr("Keys past their lease or age rule, by the server's clock."),
            [](const sql::Profile &profile) { return profile.stale.has_value(); },
            FilterBar::tr("The profile of this table has no rule that says when a key is stuck.") },
        { FilterBar::tr("Failed"), u"state:failed_final,failed_retryable"_s,
            FilterBar::tr("Keys that failed, for good or for now."), always, {} },
        { FilterBar::tr("Many attempts"), u"attempts>=3"_s, FilterBar::tr("Keys with three attempts or more."),
            [](const sql::Profile &profile) { return profile.has(sql::Role::Attempts); },
            FilterBar::tr("This table does not count attempts.") },
        { FilterBar::tr("Expired"), u"state:expired"_s,
            FilterBar::tr("Keys past their retention, by the server's clock."),
            [](const sql::Profile &profile) { return profile.has(sql::Role::ExpiresAt); },
            FilterBar::tr("This table does not say when a key expires.") },
        { FilterBar::tr("Conflicts"), kConflictTerm,
            FilterBar::tr("Keys that came again with another request, as far as services or logs told the database."),
            always, FilterBar::tr("Conflicts are recorded once the console's schema is installed in this database.") },
    };
}

/// Over a field whose text is wrong: its edge, and nothing that a mouse or a reader meets.
class WrongEdge final : public QWidget
{
public:
    explicit WrongEdge(QWidget *field)
        : QWidget(field)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        drawPanel(&painter, rect(), {}, themeColor(Token::Danger), kRadius);
    }
};

} // namespace

FilterBar::FilterBar(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_browser(browser)
    , m_settings(settings)
    , m_edit(new QLineEdit(this))
    , m_edge(new WrongEdge(m_edit))
    , m_error(wrappedLabel({}, this))
    , m_chipRow(new QWidget(this))
    , m_history(new QPushButton(this))
    , m_views(new QPushButton(this))
    , m_completer(new FilterCompleter(browser, m_edit))
{
    setObjectName(u"filterBar"_s);
    m_edit->setObjectName(u"filterText"_s);
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setPlaceholderText(tr("Filter: a key, or terms such as state:stuck attempts>=3 age>10m"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMaxLength(1'000'000); // the default would cut a long pasted key without a word
    m_edit->addAction(themedIcon(u"filter"_s, Token::MutedText), QLineEdit::LeadingPosition);
    m_edit->installEventFilter(this);
    m_error->setObjectName(u"filterError"_s);
    m_error->hide();
    m_history->setText(tr("History"));
    m_history->setToolTip(tr("Filters used on this table"));
    m_history->setObjectName(u"filterHistory"_s);
    m_views->setText(tr("Views"));
    m_views->setToolTip(tr("Filters and orders saved under a name"));
    m_views->setObjectName(u"filterViews"_s);
    for (QPushButton *button : { m_history, m_views }) {
        button->setAutoDefault(false);
        button->setMenu(new QMenu(button));
        button->setAccessibleName(button->toolTip());
        button->setFocusPolicy(Qt::StrongFocus);
    }
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(kDebounceMs);
    layOut();
    wire();
    retarget();
}

void FilterBar::layOut()
{
    auto *chips = new WrapRow(m_chipRow);
    chips->setSpacing(kGrid);
    for (const ChipSpec &spec : chipSpecs()) {
        auto *chip = new Chip(u"chip_"_s + QString(spec.title).replace(u' ', u'_'), this);
        chip->setText(spec.title);
        chip->setAccessibleName(tr("Quick filter: %1").arg(spec.title));
        // Not by a click: assistive technology switches a chip without one. What updateChips() shows is there already.
        connect(chip, &QToolButton::toggled, this, [this, chip, term = spec.term](bool on) {
            if (chip->isEnabled() && on != models::filterHasTerm(m_edit->text(), term)) {
                toggleChip(term);
            }
        });
        chips->add(chip);
        m_chips += chip;
    }

    auto *row = new QHBoxLayout;
    row->setSpacing(kGrid);
    row->addWidget(m_edit, 1);
    row->addWidget(m_history);
    row->addWidget(m_views);
    auto *layout = partColumn(this);
    layout->setSpacing(kGrid);
    layout->addLayout(row);
    layout->addWidget(m_error);
    layout->addWidget(m_chipRow);
}

void FilterBar::wire()
{
    connect(&m_debounce, &QTimer::timeout, this, [this] {
        m_typing = m_completer->isOpen();
        apply();
        m_typing = false;
    });
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_debounce.start();
        updateChips();
        m_completer->complete();
    });
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString &now) {
        if (now.isEmpty() && !m_edit->isModified()) {
            m_debounce.start(); // the clear button is no edit of textEdited()
        }
    });
    connect(m_edit, &QLineEdit::returnPressed, this, &FilterBar::commit);
    connect(m_completer, &FilterCompleter::inserted, this, [this] {
        updateChips();
        m_debounce.start();
    });
    connect(m_history->menu(), &QMenu::aboutToShow, this, &FilterBar::fillHistory);
    connect(m_views->menu(), &QMenu::aboutToShow, this, &FilterBar::fillViews);
    connect(m_browser, &models::KeyBrowserController::filterAccepted, this, [this](const QString &accepted) {
        showText(accepted);
        m_applied = accepted;
        showError(std::nullopt);
    });
    connect(m_browser, &models::KeyBrowserController::targetChanged, this, &FilterBar::retarget);
    connect(m_browser, &models::KeyBrowserController::filterRejected, this, [this](const sql::Error &error) {
        if (!m_debounce.isActive()) { // else the server speaks of a text the person has gone on from
            showText(m_browser->filterText());
            if (!m_typing) { // half a term, with its candidates open, is no mistake yet
                showError(error);
            }
        }
    });
}

QString FilterBar::targetName() const
{
    return m_browser->hasTarget() ? m_browser->target().profile.name : QString();
}

QString FilterBar::text() const
{
    return m_edit->text();
}

void FilterBar::setText(const QString &text)
{
    m_edit->setText(text);
    updateChips();
    commit();
}

void FilterBar::showText(const QString &text)
{
    if (text != m_edit->text()) { // else the cursor stays where the person is typing
        m_edit->setText(text);
        updateChips();
    }
}

void FilterBar::focusText()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::retarget()
{
    m_edit->setText(m_browser->filterText());
    m_applied.clear();
    showError(std::nullopt);
    updateChips();
    fillHistory();
    fillViews();
}

void FilterBar::apply()
{
    m_debounce.stop();
    m_browser->setFilterText(m_edit->text());
}

void FilterBar::commit()
{
    m_completer->close();
    apply();
    // Only what was meant is remembered, not every pause in typing.
    if (!m_browser->filterError() && m_browser->hasTarget() && !m_edit->text().trimmed().isEmpty()) {
        m_settings->addToFilterHistory(targetName(), m_edit->text());
    }
}

void FilterBar::showError(const std::optional<sql::Error> &error)
{
    // The part that is wrong is underlined by the input method's own format: no text is changed.
    QList<QInputMethodEvent::Attribute> attributes;
    if (error && error->position >= 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(themeColor(Token::Danger));
        attributes += QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat,
            error->position - m_edit->cursorPosition(), std::max(1, error->length), format);
    }
    QInputMethodEvent event(QString(), attributes);
    QCoreApplication::sendEvent(m_edit, &event);
    // In the place of the chips, which say nothing meanwhile: nothing below moves.
    m_error->setMinimumHeight(m_chipRow->isHidden() ? m_error->minimumHeight() : m_chipRow->height());
    m_error->setVisible(error.has_value());
    m_chipRow->setVisible(!error.has_value());
    markWrong(error.has_value());
    updateChips();
    if (error) {
        QString said = error->line();
        if (error->position >= 0) {
            said.chop(said.endsWith(u'.') ? 1 : 0);
            said = tr("%1 (character %2).", "what is wrong, where").arg(said).arg(error->position + 1);
        }
        const QString shown = m_applied.trimmed().isEmpty() ? tr("Showing the previous result: all keys.")
                                                            : tr("Showing the previous result: %1").arg(m_applied);
        m_error->setText(models::displayText(said + u' ' + shown, 600));
        QPalette colors = m_error->palette();
        colors.setColor(QPalette::WindowText, themeColor(Token::Danger));
        m_error->setPalette(colors);
    }
}

/// Its edge in the colour of danger, as the message says it in words.
void FilterBar::markWrong(bool wrong)
{
    m_edge->setGeometry(m_edit->rect());
    m_edge->setVisible(wrong);
}

void FilterBar::toggleChip(const QString &term)
{
    setText(models::filterToggled(m_edit->text(), term));
}

void FilterBar::setConflictsKnown(bool known)
{
    m_conflictsKnown = known;
    updateChips();
}

void FilterBar::setStuck(const sql::RowCount &stuck)
{
    m_stuck = stuck;
    updateChips();
}

void FilterBar::updateChips()
{
    const auto specs = chipSpecs();
    const sql::Profile *profile = m_browser->hasTarget() ? &m_browser->target().profile : nullptr;
    const bool wrong = !m_error->isHidden(); // the rows below are of another filter: no chip speaks of them
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        const ChipSpec &spec = specs.at(i);
        const bool possible
            = profile != nullptr && spec.possible(*profile) && (m_conflictsKnown || spec.term != kConflictTerm);
        const bool stuck = spec.term == kStuckTerm && m_stuck.kind != sql::RowCount::Kind::Unknown && m_stuck.rows > 0;
        m_chips.at(i)->setText(
            stuck ? tr("%1 %2", "chip, number").arg(spec.title, models::countText(m_stuck)) : spec.title);
        m_chips.at(i)->setEnabled(possible && !wrong);
        m_chips.at(i)->setToolTip(wrong          ? tr("The filter has a mistake. Correct it, or press Esc.")
                : possible || profile == nullptr ? spec.help
                                                 : spec.impossible);
        m_chips.at(i)->setChecked(possible && !wrong && models::filterHasTerm(m_edit->text(), spec.term));
    }
}

void FilterBar::fillHistory()
{
    QMenu *menu = m_history->menu();
    menu->clear();
    const QStringList history = m_settings->filterHistory(targetName()).mid(0, kMostHistoryShown);
    for (const QString &entry : history) {
        QAction *action = menu->addAction(models::displayText(entry, 80).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, entry] { setText(entry); });
    }
    if (history.isEmpty()) {
        menu->addAction(tr("Filters you use appear here"))->setEnabled(false);
    }
}

void FilterBar::fillViews()
{
    QMenu *menu = m_views->menu();
    menu->clear();
    if (m_browser->hasTarget()) {
        const auto ready = models::readyViews(m_browser->target());
        for (const models::SavedView &view : ready) {
            connect(menu->addAction(view.name), &QAction::triggered, this, [this, view] {
                m_browser->setOrder(view.order);
                setText(view.filter);
            });
        }
        menu->addSeparator();
    }
    const auto views = m_settings->savedViews(targetName());
    for (const models::SavedView &view : views) {
        QAction *action = menu->addAction(models::displayText(view.name, 60).replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, view] {
            m_browser->setOrder(view.order);
            setText(view.filter);
        });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Save this view…")), &QAction::triggered, this, &FilterBar::saveView);
    if (!views.isEmpty()) {
        QMenu *removal = menu->addMenu(tr("Remove a view"));
        for (const models::SavedView &view : views) {
            QAction *action = removal->addAction(models::displayText(view.name, 60).replace(u'&', u"&&"_s));
            connect(action, &QAction::triggered, this,
                [this, name = view.name] { m_settings->removeView(targetName(), name); });
        }
    }
}

void FilterBar::saveView()
{
    auto *dialog = new QInputDialog(this);
    dialog->setObjectName(u"saveViewDialog"_s);
    dialog->setWindowTitle(tr("Save view"));
    dialog->setLabelText(tr("Name of this filter and order"));
    dialog->setOkButtonText(tr("Save view"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &name) {
        if (!name.trimmed().isEmpty()) {
            m_settings->saveView({ name.trimmed(), targetName(), m_edit->text(), m_browser->order() });
        }
    });
    openDialog(dialog);
}

bool FilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::Resize) {
        m_edge->setGeometry(m_edit->rect());
    }
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape) {
            if (m_completer->isOpen()) {
                m_completer->close();
            } else if (m_error->isVisible()) {
                setText(m_browser->filter().text); // what the rows below belong to
            } else {
                m_browser->cancel();
                emit escaped();
            }
            return true;
        }
        if (key->key() == Qt::Key_Down) {
            m_completer->complete();
            return true;
        }
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier) {
            m_completer->complete();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace idemdesk::ui
