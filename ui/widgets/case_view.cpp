// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/case_view.h"

#include "models/casefile/case_controller.h"
#include "models/format/display_text.h"
#include "models/keys/story_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/story_view.h"
#include "ui/widgets/text_view.h"

#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTextChars = 1'000;

} // namespace

CaseView::CaseView(models::CaseController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_story(new models::StoryModel(this))
    , m_notice(new NoticeBar(this))
    , m_sentence(readableLabel(u"caseSentence"_s, this))
    , m_certainty(readableLabel(u"caseCertainty"_s, this))
    , m_tabs(new QTabWidget(this))
    , m_rules(new QPlainTextEdit(this))
    , m_complaint(new QLineEdit(this))
    , m_compare(new QPushButton(tr("C&ompare requests"), this))
    , m_save(new QPushButton(tr("&Save case file"), this))
{
    setObjectName(u"caseView"_s);
    m_sentence->setFont(Theme::title());
    setUpText(m_rules, u"caseRules"_s, tr("What the verdict follows from"));
    auto *story = new StoryView(this);
    story->setObjectName(u"caseStory"_s);
    story->setModel(m_story);
    m_tabs->setObjectName(u"caseTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_rules, tr("Why"));
    m_tabs->addTab(story, tr("Story"));
    m_complaint->setObjectName(u"caseComplaint"_s);
    m_complaint->setPlaceholderText(tr("What was complained about; optional, stands in the case file"));
    m_complaint->setAccessibleName(tr("What was complained about"));
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
    layout->addWidget(m_sentence);
    layout->addWidget(m_certainty);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(last);
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
                                              : tr("No request of this case is stored whole, or the profile masks it; "
                                                   "payloads can be pasted on the tab Compare."));
    m_complaint->setEnabled(file.has_value());
    m_tabs->setVisible(file.has_value());
    m_certainty->setVisible(file.has_value());
    if (!file) {
        m_sentence->setText(m_controller->busy() ? tr("Reading the keys, their effects, conflicts and the trail…")
                : m_controller->error()          ? tr("There is no verdict.")
                                                 : QString());
        m_story->setStory({}, {});
        m_rules->clear();
        return;
    }
    const models::Verdict &verdict = file->verdict;
    m_sentence->setText(models::displayText(verdict.sentence, kTextChars));
    m_certainty->setText(tr("%1, by the facts below. Effects seen for certain: %2.")
                             .arg(models::certaintyName(verdict.certainty))
                             .arg(verdict.effects));
    QStringList lines;
    for (const models::VerdictRule &rule : verdict.rules) {
        lines += u"• "_s + models::displayText(rule.sentence, kTextChars);
    }
    for (const models::RequestDifference &difference : file->differences) {
        lines += { QString(), models::displayText(models::differenceInWords(difference), kTextChars) };
    }
    for (const QString &text : file->notCompared) {
        lines += { QString(), models::displayText(text, kTextChars) };
    }
    for (const QString &text : file->notRead) {
        lines += { QString(), models::displayText(text, kTextChars) };
    }
    if (!verdict.settles.isEmpty()) {
        lines += { QString(), tr("What would settle what is open:") };
        for (const QString &text : verdict.settles) {
            lines += u"• "_s + models::displayText(text, kTextChars);
        }
    }
    m_rules->setPlainText(lines.join(u'\n'));
    m_story->setStory(
        models::timelineOf(*file), file->rows.isEmpty() ? sql::Timestamp() : file->rows.constLast().detail.now);
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
