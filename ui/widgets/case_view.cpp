// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/case_view.h"

#include "models/casefile/case_controller.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/keys/story_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/story_view.h"
#include "ui/widgets/verdict_card.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kCardWidth = 680;
constexpr int kStoryWidth = 500; // a uuid with its event in a line of the story
constexpr qsizetype kMostLetters = 26;

/// The case with a letter for each of its keys; as it is where there is one key, or more than letters.
models::CaseFile withLetters(const models::CaseFile &file)
{
    const QStringList keys = models::caseKeys(file);
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
    const QStringList letters = models::caseKeys(withLetters(file));
    const QStringList keys = models::caseKeys(file);
    QStringList parts;
    for (qsizetype i = 0; letters != keys && i < keys.size(); ++i) {
        parts += CaseView::tr("%1 %2", "a letter, the key it stands for")
                     .arg(letters.at(i), models::displayText(keys.at(i)));
    }
    return parts.join(u" · "_s);
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
    splitInTwo(halves, m_card, m_told, 3, 2);
    halves->setSizes({ kCardWidth, kStoryWidth });
    m_complaint->setObjectName(u"caseComplaint"_s);
    m_complaint->setPlaceholderText(tr("Case note (optional)"));
    m_complaint->setAccessibleName(tr("Case note"));
    m_compare->setObjectName(u"caseCompare"_s);
    m_save->setObjectName(u"caseSave"_s);
    auto *menu = new QMenu(m_save);
    menu->addAction(tr("For people (&PDF)…"), this, [this] { askFile(u"pdf"_s); });
    menu->addAction(tr("For people (&HTML)…"), this, [this] { askFile(u"html"_s); });
    menu->addAction(tr("For programs (&JSON)…"), this, [this] { askFile(u"json"_s); });
    m_save->setMenu(menu);
    auto *last = barRow({});
    last->addWidget(m_complaint, 1);
    last->addWidget(m_compare);
    last->addWidget(m_save);
    auto *layout = partColumn(this);
    layout->addWidget(m_notice);
    layout->addWidget(halves, 1);
    layout->addLayout(last);
    connect(m_card, &VerdictCard::settleWanted, this, &CaseView::settle);
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
    const bool comparable = file && !file->requests.isEmpty();
    m_compare->setEnabled(comparable && !m_controller->busy());
    m_compare->setText(file && m_controller->busy() ? tr("Reading…") : tr("C&ompare requests"));
    m_compare->setToolTip(!file || comparable ? QString()
                                              : tr("No request of this case is stored whole, or the profile masks it. "
                                                   "Payloads can be pasted on the tab Compare."));
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
    m_card->showVerdict(file->verdict, notes + file->notCompared + file->notRead);
    const QString names = lettersText(*file);
    m_names->setText(names);
    m_names->setVisible(!names.isEmpty());
    m_story->setStory(models::timelineOf(withLetters(*file)),
        file->rows.isEmpty() ? sql::Timestamp() : file->rows.constLast().detail.now);
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
