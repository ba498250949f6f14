// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notice_bar.h"

#include "models/format/display_text.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qsizetype kSentenceChars = 1'000;
constexpr double kBorderPart = 0.45; // of the kind's colour in the border

QLabel *part(const QString &objectName, QWidget *parent)
{
    QLabel *label = readableLabel(objectName, parent);
    label->setFocusPolicy(Qt::ClickFocus); // selectable, yet no stop on the way from field to field
    return label;
}

/// The server breaks its lines where a terminal would; the line breaks of these labels are their own.
void setPart(QLabel *label, const QString &text)
{
    label->setText(models::displayText(text.simplified(), kSentenceChars));
    label->setVisible(!text.isEmpty());
}

} // namespace

NoticeBar::NoticeBar(QWidget *parent)
    : QFrame(parent)
    , m_icon(plainLabel({}, this))
    , m_what(part(u"noticeWhat"_s, this))
    , m_why(part(u"noticeWhy"_s, this))
    , m_todo(part(u"noticeTodo"_s, this))
    , m_primary(new QPushButton(this))
    , m_secondary(new QPushButton(this))
    , m_more(new QToolButton(this))
    , m_copy(new QPushButton(tr("Cop&y"), this))
    , m_details(new QPlainTextEdit(this))
{
    setObjectName(u"notice"_s);
    m_primary->setObjectName(u"noticePrimary"_s);
    m_secondary->setObjectName(u"noticeSecondary"_s);
    m_more->setObjectName(u"noticeDetailsButton"_s);
    m_copy->setObjectName(u"noticeCopy"_s);
    setFrameShape(QFrame::NoFrame);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    for (QPushButton *button : { m_primary, m_secondary, m_copy }) {
        button->setAutoDefault(false); // in a dialog Enter belongs to the dialog's own button
    }
    m_copy->setAccessibleName(tr("Copy the whole message"));
    m_more->setText(tr("Detai&ls"));
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setAccessibleName(tr("Show the server's own words"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    setUpCode(m_details, u"noticeDetails"_s, tr("The server's own words"));
    m_details->setMaximumHeight(120);

    layOut();
    connect(m_primary, &QPushButton::clicked, this, &NoticeBar::primaryClicked);
    connect(m_secondary, &QPushButton::clicked, this, &NoticeBar::secondaryClicked);
    connect(m_more, &QToolButton::toggled, m_details, &QWidget::setVisible);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_copyText); });
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &NoticeBar::applyColors);
    }
    hide();
}

/// The sentences beside the buttons, both in the middle of the bar, whichever is higher.
void NoticeBar::layOut()
{
    auto *texts = new QGridLayout;
    texts->setHorizontalSpacing(2 * kGrid);
    texts->setVerticalSpacing(kGrid / 2);
    texts->addWidget(m_icon, 0, 0);
    texts->addWidget(m_what, 0, 1);
    texts->addWidget(m_why, 1, 1);
    texts->addWidget(m_todo, 2, 1);
    texts->setColumnStretch(1, 1);
    auto *buttons = barRow({ m_primary, m_secondary, m_more, m_copy });
    buttons->setSpacing(2 * kGrid);
    auto *line = new QHBoxLayout;
    line->setSpacing(4 * kGrid);
    line->addLayout(texts, 1);
    line->addLayout(buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(line);
    layout->addWidget(m_details);
}

void NoticeBar::showError(const sql::Error &error, const QString &primary)
{
    const bool said = error.sqlState.isEmpty() || error.detail.contains(error.sqlState);
    QStringList details { error.where, said ? QString() : tr("SQLSTATE %1").arg(error.sqlState), error.detail };
    details.removeAll(QString());
    show(Kind::Error, error, details.join(u'\n'), primary, {});
}

void NoticeBar::setError(const std::optional<sql::Error> &error, const QString &primary)
{
    if (error) {
        showError(*error, primary);
    } else {
        clear();
    }
}

void NoticeBar::showNotice(Kind kind, const QString &what, const QString &why, const QString &details,
    const QString &primary, const QString &secondary)
{
    sql::Error message;
    message.what = what;
    message.why = why;
    show(kind, message, details, primary, secondary);
}

void NoticeBar::show(
    Kind kind, const sql::Error &message, const QString &details, const QString &primary, const QString &secondary)
{
    m_kind = kind;
    setPart(m_what, message.what);
    setPart(m_why, message.why);
    setPart(m_todo, message.todo);
    QStringList whole { message.what, message.why, message.todo, details };
    whole.removeAll(QString());
    m_copyText = whole.join(u'\n');
    m_details->setPlainText(models::displayBlock(details));
    m_more->setVisible(!details.isEmpty());
    m_more->setChecked(false);
    m_details->hide();
    m_copy->setVisible(kind == Kind::Error || !details.isEmpty());
    m_primary->setText(primary);
    m_primary->setVisible(!primary.isEmpty());
    m_secondary->setText(secondary);
    m_secondary->setVisible(!secondary.isEmpty());
    setAccessibleName(message.what);
    setAccessibleDescription(message.line());
    applyColors();
    QFrame::show();
}

void NoticeBar::clear()
{
    hide();
}

Token NoticeBar::token() const
{
    return m_kind == Kind::Error  ? Token::Danger
        : m_kind == Kind::Warning ? Token::Warning
        : m_kind == Kind::Good    ? Token::Succeeded
                                  : Token::Accent;
}

QColor NoticeBar::ground() const
{
    return badgeFill(themeColor(token()), themeColor(Token::Window), themeScheme());
}

/// The border tells a warning from a control that is merely grey.
void NoticeBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), ground(),
        badgeFrame(themeColor(token()), themeColor(Token::Window), kBorderPart, themeScheme()), kRadius);
}

void NoticeBar::applyColors()
{
    const QString icon = m_kind == Kind::Error ? u"error"_s
        : m_kind == Kind::Warning              ? u"warning"_s
        : m_kind == Kind::Good                 ? u"done"_s
                                               : u"info"_s;
    m_icon->setPixmap(themedIcon(icon, token()).pixmap(QSize(20, 20)));
    QPalette palette;
    palette.setColor(QPalette::Window, ground()); // which what lies on it counts its contrasts by
    setPalette(palette);
    update();
}

} // namespace idemdesk::ui
