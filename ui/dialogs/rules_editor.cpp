// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/rules_editor.h"

#include "models/format/display_text.h"
#include "models/mapping/mapping_controller.h"
#include "models/mapping/rules_text.h"
#include "ui/dialogs/rules_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_view.h"

#include <QCheckBox>
#include <QFrame>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTypingPauseMs = 300;

} // namespace

RulesEditor::RulesEditor(models::MappingController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_sentences(readableLabel(u"rulesSentences"_s, this))
    , m_stack(new QStackedWidget(this))
    , m_form(new RulesForm(this))
    , m_text(new QPlainTextEdit(this))
    , m_asText(new QCheckBox(tr("Edit as &JSON"), this))
    , m_error(wrappedLabel({}, this))
{
    setObjectName(u"rulesEditor"_s);
    m_sentences->setAccessibleName(tr("The rules in sentences"));
    setUpCode(m_text, u"rulesText"_s, tr("The rules as the profile has them"));
    m_text->setReadOnly(false);
    m_text->setTabChangesFocus(true);
    m_asText->setObjectName(u"rulesAsText"_s);
    m_asText->setAccessibleName(tr("Edit the rules as JSON"));
    m_error->setObjectName(u"rulesError"_s);
    QPalette colors = m_error->palette();
    colors.setColor(QPalette::WindowText, themeColor(Token::Danger));
    m_error->setPalette(colors);
    m_error->hide();
    m_pause.setSingleShot(true);
    m_pause.setInterval(kTypingPauseMs);
    m_stack->addWidget(m_form);
    m_stack->addWidget(m_text);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse); // to read: the keyboard begins in the fields
    m_sentences->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QVBoxLayout *layout = partColumn(this);
    layout->addWidget(noteLabel(
        tr("Every rule is optional: without one, its page has nothing to show for this table."), u"rulesNote"_s, this));
    layout->addWidget(m_error);
    auto *halves = new QHBoxLayout;
    halves->setSpacing(4 * kGrid);
    halves->addWidget(m_stack, 5);
    halves->addWidget(buildSummary(), 3);
    layout->addLayout(halves, 1);
    layout->addWidget(m_asText);
    connect(&m_pause, &QTimer::timeout, this, &RulesEditor::apply);
    connect(m_text, &QPlainTextEdit::textChanged, this, &RulesEditor::wait);
    connect(m_form, &RulesForm::edited, this, [this] {
        showText();
        wait();
    });
    connect(m_asText, &QCheckBox::toggled, this, [this](bool asText) {
        if (!asText && m_valid) { // else the fields hold what is half done, as they did
            showForm();
        }
        m_stack->setCurrentIndex(asText ? 1 : 0);
    });
}

void RulesEditor::wait()
{
    m_valid = false; // not known yet: nothing goes on with half a rule
    m_asText->setEnabled(m_stack->currentIndex() == 0); // the fields cannot show half a rule
    m_pause.start();
    emit edited();
}

void RulesEditor::reload()
{
    const QSignalBlocker blocker(m_text);
    m_text->setPlainText(models::rulesText(m_controller->profile()));
    m_pause.stop();
    m_valid = true;
    m_error->hide();
    m_asText->setEnabled(true);
    showForm();
    showSentences();
}

/// What the rules come to, in words, beside the fields that make them.
QWidget *RulesEditor::buildSummary()
{
    auto *card = new QFrame(this);
    card->setObjectName(u"rulesSummary"_s);
    card->setAccessibleName(tr("The rules in sentences"));
    card->setFrameShape(QFrame::StyledPanel);
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(strongLabel(tr("In words"), card));
    column->addWidget(m_sentences);
    column->addStretch(1);
    return card;
}

void RulesEditor::focusFirst()
{
    m_stack->currentWidget()->setFocus(Qt::OtherFocusReason);
}

void RulesEditor::showForm()
{
    QStringList columns;
    for (const sql::ColumnFacts &column : m_controller->relation().columns) {
        columns += column.name;
    }
    m_form->showRules(m_controller->profile(), columns);
}

/// What the fields say, as text: one way leads from there to the profile.
void RulesEditor::showText()
{
    const QSignalBlocker blocker(m_text);
    m_text->setPlainText(models::rulesText(m_form->applied(m_controller->profile())));
}

void RulesEditor::apply()
{
    const auto set = m_controller->setRules(m_text->toPlainText());
    m_valid = set.ok();
    m_asText->setEnabled(m_valid || m_stack->currentIndex() == 0);
    if (!set.ok()) {
        // It speaks of a file; here is none, so only what is wrong and where.
        const sql::Error &error = set.error();
        const QString where = error.where.isEmpty() ? QString() : error.where + u": "_s;
        m_error->setText(models::displayText(where + (error.why.isEmpty() ? error.what : error.why), 400));
    }
    m_error->setVisible(!set.ok());
    showSentences();
    emit edited();
}

void RulesEditor::showSentences()
{
    m_sentences->setText(models::ruleSentences(m_controller->profile()).join(u'\n'));
}

} // namespace idemdesk::ui
