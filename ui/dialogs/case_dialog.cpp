// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/case_dialog.h"

#include "models/casefile/case_controller.h"
#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kMinimumWidth = 620; // pixels
constexpr int kTextChars = 1'000;

} // namespace

CaseDialog::CaseDialog(models::CaseController *controller, QWidget *parent)
    : QDialog(parent)
    , m_controller(controller)
    , m_notice(new NoticeBar(this))
    , m_sentence(plainLabel(tr("Reading the key, its effects, conflicts and the trail…"), this))
    , m_certainty(plainLabel({}, this))
    , m_rules(new QPlainTextEdit(this))
    , m_complaint(new QLineEdit(this))
    , m_save(new QPushButton(tr("&Save case file"), this))
{
    setObjectName(u"caseDialog"_s);
    setWindowTitle(tr("Verdict"));
    setMinimumWidth(kMinimumWidth);
    m_controller->setParent(this);
    m_sentence->setObjectName(u"caseSentence"_s);
    m_sentence->setFont(Theme::title());
    m_sentence->setWordWrap(true);
    m_certainty->setObjectName(u"caseCertainty"_s);
    m_certainty->setWordWrap(true);
    m_rules->setObjectName(u"caseRules"_s);
    m_rules->setAccessibleName(tr("What the verdict follows from"));
    m_rules->setReadOnly(true);
    m_rules->setTabChangesFocus(true);
    m_complaint->setObjectName(u"caseComplaint"_s);
    m_complaint->setPlaceholderText(tr("Optional; it stands in the case file"));
    m_save->setObjectName(u"caseSave"_s);
    auto *menu = new QMenu(m_save);
    menu->addAction(tr("For people (&PDF)…"), this, [this] { askFile(u"pdf"_s); });
    menu->addAction(tr("For people (&HTML)…"), this, [this] { askFile(u"html"_s); });
    menu->addAction(tr("For programs (&JSON)…"), this, [this] { askFile(u"json"_s); });
    m_save->setMenu(menu);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    auto *form = new QFormLayout;
    form->setSpacing(2 * kGrid);
    form->addRow(tr("&Complaint"), m_complaint);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_save);
    buttons->addWidget(close);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_notice);
    layout->addWidget(m_sentence);
    layout->addWidget(m_certainty);
    layout->addWidget(m_rules, 1);
    layout->addLayout(form);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_controller, &models::CaseController::changed, this, &CaseDialog::update);
    update();
}

void CaseDialog::update()
{
    const auto &file = m_controller->file();
    if (m_controller->error()) {
        m_notice->showError(*m_controller->error());
        m_sentence->setText(tr("There is no verdict."));
    } else {
        m_notice->clear();
    }
    m_save->setEnabled(file.has_value());
    if (!file) {
        return;
    }
    const models::Verdict &verdict = file->verdict;
    m_sentence->setText(models::displayText(verdict.sentence, kTextChars));
    m_certainty->setText(tr("%1, by the facts below. Effects seen for certain: %2.").arg(models::certaintyName(verdict.certainty)).arg(verdict.effects));
    QStringList lines;
    for (const models::VerdictRule &rule : verdict.rules) {
        lines += u"• "_s + models::displayText(rule.sentence, kTextChars);
    }
    if (!verdict.settles.isEmpty()) {
        lines += { QString(), tr("What would settle what is open:") };
        for (const QString &text : verdict.settles) {
            lines += u"• "_s + models::displayText(text, kTextChars);
        }
    }
    m_rules->setPlainText(lines.join(u'\n'));
}

void CaseDialog::askFile(const QString &suffix)
{
    auto *dialog = new QFileDialog(this, tr("Save case file"));
    dialog->setObjectName(u"caseFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setNameFilters({ u"*."_s + suffix });
    dialog->setLabelText(QFileDialog::Accept, tr("Save"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const auto written = m_controller->write(path, m_complaint->text().trimmed());
        if (written) {
            m_notice->showNotice(NoticeBar::Kind::Info, tr("Written to %1.").arg(models::displayText(path, 200)));
        } else {
            m_notice->showError(written.error());
        }
    });
    dialog->open();
}

} // namespace idemdesk::ui
