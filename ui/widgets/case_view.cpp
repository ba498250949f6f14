// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/case_view.h"

#include "models/casefile/case_controller.h"
#include "models/casefile/stored_charge.h"
#include "models/complaint/match_context.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/keys/key_cells.h"
#include "models/keys/story_model.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/story_view.h"
#include "ui/widgets/verdict_card.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHash>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kCardWidth = 680;
constexpr int kStoryWidth = 500; // a uuid with its event in a line of the story
constexpr qsizetype kMostLetters = 26;

/// When the row's key began; the far future where the row does not tell.
qint64 beganMicros(const models::CaseRow &row)
{
    for (const sql::Role role : { sql::Role::CreatedAt, sql::Role::ClaimedAt, sql::Role::UpdatedAt }) {
        if (const auto at = row.detail.record.time(role); at && at->finite()) {
            return at->micros;
        }
    }
    return std::numeric_limits<qint64>::max();
}

/// The keys of the case, the one that began first in front: A is the first of the story.
QStringList keysByTime(const models::CaseFile &file)
{
    models::CaseFile sorted = file;
    std::stable_sort(sorted.rows.begin(), sorted.rows.end(),
        [](const models::CaseRow &a, const models::CaseRow &b) { return beganMicros(a) < beganMicros(b); });
    return models::caseKeys(sorted);
}

/// The case with a letter for each of its keys; as it is where there is one key, or more than letters.
models::CaseFile withLetters(const models::CaseFile &file)
{
    const QStringList keys = keysByTime(file);
    models::CaseFile named = file;
    if (keys.size() < 2 || keys.size() > kMostLetters) {
        return named;
    }
    const auto letterOf = [&keys](const QString &key) { return QString(QChar(u'A' + int(keys.indexOf(key)))); };
    for (models::CaseRow &row : named.rows) {
        row.key = letterOf(row.key);
    }
    for (sql::ConflictRecord &conflict : named.conflicts) {
        if (conflict.key && keys.contains(*conflict.key)) {
            conflict.key = letterOf(*conflict.key);
        }
    }
    return named;
}

/// "A ord-1 · B ord-2": what withLetters() calls them; empty where it has no letters.
QString lettersText(const models::CaseFile &file)
{
    const QStringList keys = keysByTime(file);
    const QStringList letters = keysByTime(withLetters(file));
    QStringList parts;
    for (qsizetype i = 0; letters != keys && i < keys.size(); ++i) {
        parts += CaseView::tr("%1 %2", "a letter, the key it stands for")
                     .arg(letters.at(i), models::displayText(keys.at(i)));
    }
    return parts.join(u" · "_s);
}

/// True where several intents of the case, or one of them alone, had more than one effect.
bool doneMoreThanOnce(const models::CaseFile &file)
{
    return file.verdict.kind == models::VerdictKind::SeveralIntents
        || file.verdict.kind == models::VerdictKind::SeveralEffects;
}

/// "665.82 EUR twice, 42 s apart · acme": amount, distance, customer and scopes, as far as the rows tell them.
QString subjectText(const models::CaseFile &file)
{
    QStringList amounts; // 470.6 and 470.60 are one
    QHash<QString, QString> asStored;
    QStringList people;
    QList<qint64> times;
    int intents = 0;
    for (const models::CaseRow &row : file.rows) {
        if (!models::isIntent(file, row)) {
            continue;
        }
        ++intents;
        const models::StoredCharge charge = models::storedCharge(row.target, row.detail.record, row.masked);
        const QString stored = models::matchContext(row.detail.record, {}, row.masked).amount;
        const QString amount = charge.amount.isEmpty() ? stored : charge.amount;
        amounts += amount;
        asStored.insert(amount, stored.isEmpty() ? amount : stored);
        people += { charge.customer, models::scopeOf(row) };
        times += beganMicros(row);
    }
    amounts.removeDuplicates();
    people.removeDuplicates();
    people.removeAll(QString());
    QString text = amounts.size() == 1 ? asStored.value(amounts.constFirst()) : QString();
    const auto [first, last] = std::minmax_element(times.cbegin(), times.cend());
    if (intents == 2 && doneMoreThanOnce(file) && *last != std::numeric_limits<qint64>::max()) {
        const QString apart = models::durationText((*last - *first) / sql::kMicros);
        text = text.isEmpty() ? CaseView::tr("%1 apart", "duration").arg(apart)
                              : CaseView::tr("%1 twice, %2 apart", "amount, duration").arg(text, apart);
    }
    QStringList parts { text };
    parts += people;
    parts.removeAll(QString());
    return models::displayText(parts.join(u" · "_s), 300);
}

/// What the intents led to, a line each: whoever cancels one of them needs it.
QStringList referencesOf(const models::CaseFile &file)
{
    QStringList lines;
    for (const models::CaseRow &row : file.rows) {
        if (models::isIntent(file, row)) {
            const bool masked = row.masks(sql::Role::ResultId) || row.masks(sql::Role::ResultType);
            const QString result = masked ? QString() : models::recordResultText(row.detail.record);
            lines += result.isEmpty() ? row.key : row.key + u' ' + result;
        }
    }
    return lines;
}

/// Why there is nothing to compare; empty where there is.
QString nothingToCompare(const models::CaseFile &file)
{
    if (file.requests.isEmpty()) {
        return CaseView::tr("No request is stored whole, or the profile masks it.");
    }
    const bool refused = std::any_of(file.requests.cbegin(), file.requests.cend(),
        [](const models::CaseRequest &request) { return request.refused; });
    if (file.verdict.kind != models::VerdictKind::ConflictRefused || file.requests.size() > 1) {
        return {};
    }
    return refused ? CaseView::tr("The stored request is not kept.")
                   : CaseView::tr("The refused request is not stored.");
}

} // namespace

CaseView::CaseView(models::CaseController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_story(new models::StoryModel(this))
    , m_notice(new NoticeBar(this))
    , m_card(new VerdictCard(this))
    , m_told(new QWidget(this))
    , m_names(readableLabel(u"caseKeys"_s, m_told))
    , m_complaint(new QLineEdit(this))
    , m_compare(new QPushButton(tr("C&ompare requests"), this))
    , m_compareWhy(noteLabel({}, u"caseCompareWhy"_s, this))
    , m_save(new QPushButton(tr("&Save case file"), this))
{
    setObjectName(u"caseView"_s);
    auto *story = new StoryView(m_told);
    story->setObjectName(u"caseStory"_s);
    story->setModel(m_story);
    story->setFrameShape(QFrame::StyledPanel);
    auto *told = partColumn(m_told);
    told->setContentsMargins(kGrid, 0, 0, 0);
    told->setSpacing(kGrid);
    told->addWidget(strongLabel(tr("Story"), m_told));
    told->addWidget(m_names);
    told->addWidget(story, 1);
    auto *halves = new QSplitter(Qt::Horizontal, this);
    splitInTwo(halves, buildVerdict(), m_told, 3, 2);
    halves->setSizes({ kCardWidth, kStoryWidth });
    m_complaint->setObjectName(u"caseComplaint"_s);
    m_complaint->setPlaceholderText(tr("Case note (optional)"));
    m_complaint->setAccessibleName(tr("Case note"));
    m_compare->setObjectName(u"caseCompare"_s);
    m_save->setObjectName(u"caseSave"_s);
    setLook(m_save, ButtonLook::Primary);
    auto *menu = new QMenu(m_save);
    menu->addAction(tr("For people (&PDF)…"), this, [this] { askFile(u"pdf"_s); });
    menu->addAction(tr("For people (&HTML)…"), this, [this] { askFile(u"html"_s); });
    menu->addAction(tr("For programs (&JSON)…"), this, [this] { askFile(u"json"_s); });
    m_save->setMenu(menu);
    m_last = barRow({});
    QHBoxLayout *last = m_last;
    last->addWidget(m_complaint, 1);
    m_compareWhy->setWordWrap(false);
    last->addWidget(m_compareWhy);
    last->addWidget(m_compare);
    last->addWidget(m_save);
    auto *layout = partColumn(this);
    layout->addWidget(m_notice);
    layout->addWidget(halves, 1);
    layout->addLayout(last);
    connect(m_card, &VerdictCard::settleWanted, this, &CaseView::settle);
    connect(m_card, &VerdictCard::nextStepClicked, this, &CaseView::copyReferences);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &CaseView::sync);
    }
    connect(m_compare, &QPushButton::clicked, m_controller, &models::CaseController::readRequests);
    connect(m_controller, &models::CaseController::requestsRead, this, &CaseView::compareWanted);
    connect(m_controller, &models::CaseController::changed, this, &CaseView::sync);
    connect(m_controller, &models::CaseController::written, this, [this](const QString &path) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Written to %1.").arg(models::displayText(path, 200)));
    });
    connect(m_controller, &models::CaseController::writeFailed, m_notice,
        [this](const sql::Error &error) { m_notice->showError(error); });
    sync();
}

/// The card is as tall as what it says; what a small window cannot show scrolls.
QWidget *CaseView::buildVerdict()
{
    auto *scroll = new QScrollArea(this);
    auto *page = new QWidget(scroll);
    auto *column = partColumn(page);
    column->addWidget(m_card);
    column->addStretch(1);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    scroll->setAccessibleName(tr("Verdict")); // it is what the keyboard reaches
    scroll->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    return scroll;
}

void CaseView::addLast(QPushButton *button)
{
    m_last->addWidget(button);
}

void CaseView::setTimeFormat(const models::TimeFormat &format)
{
    m_story->setTimeFormat(format);
}

void CaseView::setComplaint(const QString &text)
{
    m_complaint->setText(text);
}

void CaseView::sync()
{
    const auto &file = m_controller->file();
    m_notice->setError(m_controller->error());
    m_save->setEnabled(file.has_value());
    syncCompare();
    m_complaint->setEnabled(file.has_value());
    m_told->setVisible(file.has_value());
    if (!file) {
        m_card->showText(m_controller->busy() ? tr("Reading the keys, their effects, conflicts and the audit log…")
                : m_controller->error()       ? tr("There is no verdict.")
                                              : QString());
        m_story->setStory({}, {});
        return;
    }
    QStringList notes;
    for (const models::RequestDifference &difference : file->differences) {
        notes += models::differenceInWords(difference);
    }
    m_card->showVerdict(file->verdict, notes, file->notCompared + file->notRead);
    m_card->setSubject(subjectText(*file));
    if (doneMoreThanOnce(*file)) {
        m_card->addNextStep(
            tr("Give the references to whoever can cancel or refund one of them."), tr("Copy references"));
    }
    const QString names = lettersText(*file);
    m_names->setText(names);
    m_names->setVisible(!names.isEmpty());
    m_story->setStory(models::timelineOf(withLetters(*file)),
        file->rows.isEmpty() ? sql::Timestamp() : file->rows.constLast().detail.now);
}

/// Why there is nothing to compare is said beside the button: nobody reaches the tooltip of a disabled one by keyboard.
void CaseView::syncCompare()
{
    const auto &file = m_controller->file();
    const QString why = file ? nothingToCompare(*file) : QString();
    m_compare->setEnabled(file && why.isEmpty() && !m_controller->busy());
    m_compare->setText(file && m_controller->busy() ? tr("Reading…") : tr("C&ompare requests"));
    m_compare->setToolTip(why.isEmpty() ? QString() : why + u' ' + tr("Payloads can be pasted on the tab Compare."));
    m_compareWhy->setText(why);
    m_compareWhy->setVisible(!why.isEmpty());
}

void CaseView::copyReferences()
{
    if (const auto &file = m_controller->file()) {
        QGuiApplication::clipboard()->setText(referencesOf(*file).join(u'\n'));
        m_notice->showNotice(NoticeBar::Kind::Good, tr("The references are copied."));
    }
}

void CaseView::settle(models::SettledBy by)
{
    const auto &file = m_controller->file();
    if (!file || file->rows.isEmpty()) {
        return;
    }
    if (by == models::SettledBy::Search) {
        emit referenceWanted(models::businessReference(*file), file->rows.constFirst().key);
    } else if (by == models::SettledBy::Logs) {
        emit pageWanted(u"conflicts"_s);
    } else if (by == models::SettledBy::Trail) {
        emit pageWanted(u"audit"_s);
    } else if (by == models::SettledBy::Provider) {
        const auto asked = std::find_if(file->rows.cbegin(), file->rows.cend(),
            [](const models::CaseRow &row) { return row.target.profile.provider.has_value(); });
        if (asked != file->rows.cend()) {
            emit providerWanted(asked->target.profile.name);
        }
    } else if (by == models::SettledBy::Recovery) {
        const auto stuck = std::find_if(file->rows.cbegin(), file->rows.cend(),
            [](const models::CaseRow &row) { return row.detail.record.stale.value_or(false); });
        if (stuck != file->rows.cend()) {
            emit recoveryWanted(stuck->target.profile.name, u"key:"_s + models::quoteFilterValue(stuck->key));
        }
    }
}

void CaseView::askFile(const QString &suffix)
{
    QFileDialog *dialog = saveFileDialog(this, u"caseFileDialog"_s, tr("Save case file"), {}, { u"*."_s + suffix });
    dialog->setLabelText(QFileDialog::Accept, tr("Save"));
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString &path) { m_controller->write(path, m_complaint->text().trimmed()); });
    openDialog(dialog);
}

} // namespace idemdesk::ui
