// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/error_banner.h"

#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qsizetype kSentenceChars = 1'000;

QLabel *part(const QString &objectName, const QString &accessibleName, QWidget *parent)
{
    QLabel *label = plainLabel({}, parent);
    label->setObjectName(objectName);
    label->setAccessibleName(accessibleName);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus); // selectable, yet no stop on the way from field to field
    return label;
}

void setPart(QLabel *label, const QString &text)
{
    label->setText(models::displayText(text, kSentenceChars));
    label->setVisible(!text.isEmpty());
}

} // namespace

ErrorBanner::ErrorBanner(QWidget *parent)
    : QFrame(parent)
    , m_what(part(u"errorWhat"_s, tr("What happened"), this))
    , m_why(part(u"errorWhy"_s, tr("Why it happened"), this))
    , m_todo(part(u"errorTodo"_s, tr("What to do"), this))
    , m_retry(new QPushButton(tr("&Retry"), this))
    , m_detailsButton(new QToolButton(this))
    , m_copy(new QPushButton(tr("Cop&y"), this))
    , m_details(new QPlainTextEdit(this))
{
    setObjectName(u"errorBanner"_s);
    setAutoFillBackground(true);
    setFrameShape(QFrame::StyledPanel);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    m_retry->setObjectName(u"errorRetry"_s);
    m_retry->setAccessibleName(tr("Try it again"));
    m_retry->setAutoDefault(false);
    m_retry->hide();
    m_detailsButton->setObjectName(u"errorDetailsButton"_s);
    m_detailsButton->setAccessibleName(tr("Show the server's own words"));
    m_detailsButton->setText(tr("Detai&ls"));
    m_detailsButton->setFocusPolicy(Qt::StrongFocus);
    m_detailsButton->setCheckable(true);
    m_copy->setObjectName(u"errorCopy"_s);
    m_copy->setAccessibleName(tr("Copy the whole message"));
    m_copy->setAutoDefault(false);
    m_details->setObjectName(u"errorDetails"_s);
    m_details->setAccessibleName(tr("The server's own words"));
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setFont(Theme::monospace());
    m_details->setFixedHeight(18 * kGrid);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(2 * kGrid);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_detailsButton);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_what);
    layout->addWidget(m_why);
    layout->addWidget(m_todo);
    layout->addLayout(buttons);
    layout->addWidget(m_details);

    connect(m_retry, &QPushButton::clicked, this, &ErrorBanner::retryClicked);
    connect(m_detailsButton, &QToolButton::toggled, this, &ErrorBanner::setDetailsOpen);
    connect(
        m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(copyText()); });
    hide();
}

void ErrorBanner::showError(const sql::Error &error)
{
    m_error = error;
    setPart(m_what, error.what);
    setPart(m_why, error.why);
    setPart(m_todo, error.todo);
    QStringList details;
    if (!error.sqlState.isEmpty()) {
        details.append(tr("SQLSTATE %1").arg(error.sqlState));
    }
    details.append(error.where);
    details.append(error.detail);
    details.removeAll(QString());
    m_details->setPlainText(models::displayBlock(details.join(u'\n')));
    m_detailsButton->setVisible(!details.isEmpty());
    m_detailsButton->setChecked(false);
    setDetailsOpen(false);
    setAccessibleName(error.what);
    setAccessibleDescription(error.line());
    applyColors();
    show();
}

void ErrorBanner::clear()
{
    m_error = {};
    hide();
}

void ErrorBanner::setRetryVisible(bool visible)
{
    m_retry->setVisible(visible);
}

QString ErrorBanner::copyText() const
{
    QStringList lines { m_error.what, m_error.why, m_error.todo, m_error.sqlState, m_error.where,
        m_error.detail };
    lines.removeAll(QString());
    return lines.join(u'\n');
}

void ErrorBanner::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_coloring) {
        applyColors();
    }
}

void ErrorBanner::applyColors()
{
    const QScopedValueRollback guard(m_coloring, true);
    QPalette palette;
    palette.setColor(
        QPalette::Window, badgeFill(themeColor(Token::Danger), themeColor(Token::Window), themeDark()));
    setPalette(palette);
}

void ErrorBanner::setDetailsOpen(bool open)
{
    m_details->setVisible(open);
}

} // namespace idemdesk::ui
