// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/member_card.h"

#include "models/connection/connection_fields.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/groups/group_session.h"
#include "models/regions/replication_list.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QPainter>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLeastCard = 48 * kGrid;

} // namespace

using CardState = models::GroupSession::MemberState;

MemberCard::MemberCard(models::GroupSession *session, int member, QWidget *parent)
    : QFrame(parent)
    , m_session(session)
    , m_member(member)
    , m_mark(noteLabel(tr("In this window"), u"memberCurrent"_s, this))
    , m_state(wrappedLabel({}, this))
    , m_where(elidedLabel(this))
    , m_ways(wrappedLabel({}, this))
    , m_retry(new QPushButton(tr("Try again"), this))
    , m_show(new QPushButton(tr("Show in this window"), this))
{
    setObjectName(u"memberCard"_s + QString::number(member));
    const QString label = models::displayText(session->label(member));
    setAccessibleName(label);
    m_state->setObjectName(u"memberState"_s);
    m_ways->setObjectName(u"memberReplication"_s);
    m_ways->hide();
    m_retry->setObjectName(u"memberRetry"_s);
    m_retry->setAccessibleName(tr("Try to reach %1 again").arg(label));
    m_show->setObjectName(u"memberShow"_s);
    m_show->setAccessibleName(tr("Connect this window to %1").arg(label));
    m_mark->setWordWrap(false);
    auto *layout = partColumn(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(barRow({ titleLabel(label, this), nullptr, m_mark }));
    layout->addWidget(m_state);
    layout->addWidget(m_where);
    layout->addWidget(m_ways);
    layout->addStretch(1);
    layout->addSpacing(2 * kGrid); // and the layout's own
    layout->addLayout(barRow({ m_retry, m_show, nullptr }));
    setMinimumWidth(kLeastCard);
    connect(m_retry, &QPushButton::clicked, this, &MemberCard::retryClicked);
    connect(m_show, &QPushButton::clicked, this, &MemberCard::showClicked);
}

void MemberCard::showWays(const models::ReplicationList &ways)
{
    QStringList lines;
    sql::HealthLevel worst = sql::HealthLevel::Nothing;
    for (const models::ReplicationWay &way : ways.rows()) {
        if (way.to != m_member || way.from < 0) {
            continue;
        }
        worst = std::min(worst, way.level);
        const QString sign = way.level == sql::HealthLevel::Problem ? u"✗ "_s
            : way.level == sql::HealthLevel::Good                   ? u"✓ "_s
            : way.level == sql::HealthLevel::Advice                 ? u"! "_s
                                                                    : u"? "_s;
        const QString from = models::displayText(ways.labelOf(way.from), 60);
        const qint64 bytes = way.slot ? way.slot->lagBytes : 0;
        lines += sign
            + (way.level != sql::HealthLevel::Good && bytes > 0
                    ? tr("Replication from %1: %2, %3 behind").arg(from, way.state, models::bytesText(bytes))
                    : tr("Replication from %1: %2").arg(from, way.state));
    }
    QPalette palette = this->palette();
    palette.setColor(
        QPalette::WindowText, themeColor(worst == sql::HealthLevel::Problem ? Token::Danger : Token::MutedText));
    m_ways->setPalette(palette);
    m_ways->setText(lines.join(u'\n'));
    m_ways->setVisible(!lines.isEmpty());
}

void MemberCard::sync(bool current)
{
    const CardState state = m_session->state(m_member);
    const auto error = m_session->error(m_member);
    QPalette palette = this->palette();
    palette.setColor(QPalette::WindowText, themeColor(error ? Token::Danger : Token::Text));
    m_state->setPalette(palette);
    switch (state) {
    case CardState::Opening:
        m_state->setText(tr("Connecting…"));
        break;
    case CardState::Answered:
        m_state->setText(models::displayText(models::serverWords(m_session->facts(m_member)).join(u" · "_s)));
        break;
    case CardState::Failed:
        m_state->setText(tr("No answer: %1").arg(models::displayText(error->what)));
        break;
    }
    m_state->setToolTip(error ? models::displayText(error->line(), models::kToolTipChars) : QString());
    const QString where = models::displayText(
        models::conninfoSummary(m_session->place(m_member).settings.conninfo), models::kToolTipChars);
    m_where->setText(m_session->place(m_member).missing ? QString() : where);
    m_where->setToolTip(m_where->text());
    m_mark->setVisible(current);
    // A member without its connection is mended in the group, and nothing else helps.
    m_retry->setVisible(state == CardState::Failed && !m_session->place(m_member).missing);
    m_show->setVisible(state != CardState::Failed && !current);
    m_show->setEnabled(state == CardState::Answered);
    setAccessibleDescription(m_state->text());
    update();
}

void MemberCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const bool failed = m_session->state(m_member) == CardState::Failed;
    drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(failed ? Token::Danger : Token::Border), kRadius);
}

} // namespace idemdesk::ui
