// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/connection_band.h"

#include "models/connection/connection_controller.h"
#include "models/connection/connection_fields.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ConnectionBand::ConnectionBand(models::ConnectionController *connection, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_environment(plainLabel({}, this))
    , m_readOnly(new QFrame(this))
    , m_title(elidedLabel(this))
    , m_facts(elidedLabel(this))
    , m_state(plainLabel({}, this))
    , m_retry(new QToolButton(this))
    , m_change(new QToolButton(this))
{
    setObjectName(u"connectionBand"_s);
    setAutoFillBackground(true);
    m_environment->setObjectName(u"bandEnvironment"_s);
    m_title->setObjectName(u"bandTitle"_s);
    m_facts->setObjectName(u"bandFacts"_s);
    m_state->setObjectName(u"bandState"_s);
    m_change->setObjectName(u"bandConnect"_s);
    m_retry->setObjectName(u"bandRetry"_s);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_environment->setFont(bold);
    m_title->setFont(bold);
    // Long ones are cut rather than widen the window; their tool tips have them whole.
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_retry->setText(tr("Reconnect now"));
    m_change->setText(tr("Connect…"));
    m_change->setToolTip(tr("Connect to another database (Ctrl+O)"));
    for (QToolButton *button : { m_retry, m_change }) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
    buildReadOnly();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, kGrid, 2 * kGrid, kGrid);
    layout->setSpacing(3 * kGrid);
    layout->addWidget(m_environment);
    layout->addWidget(m_readOnly);
    layout->addWidget(m_title);
    layout->addWidget(m_facts, 1);
    layout->addWidget(m_state);
    layout->addWidget(m_retry);
    layout->addWidget(m_change);
    connect(m_change, &QToolButton::clicked, this, &ConnectionBand::connectClicked);
    connect(m_retry, &QToolButton::clicked, this, &ConnectionBand::reconnectClicked);
    connect(connection, &models::ConnectionController::stateChanged, this, &ConnectionBand::sync);
    connect(connection, &models::ConnectionController::factsChanged, this, &ConnectionBand::sync);
    connect(connection, &models::ConnectionController::retryTick, this, &ConnectionBand::sync);
    connect(connection, &models::ConnectionController::databaseChanged, this, &ConnectionBand::sync);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &ConnectionBand::sync);
    }
    sync();
}

void ConnectionBand::setActing(const QString &place)
{
    if (m_acting != place) {
        m_acting = place;
        sync();
    }
}

void ConnectionBand::setActions(bool allowed, int secondsLeft, bool mayApprove)
{
    if (m_actions != allowed || m_approves != mayApprove || m_actionSeconds != secondsLeft) {
        m_actions = allowed;
        m_approves = mayApprove;
        m_actionSeconds = secondsLeft;
        sync();
    }
}

void ConnectionBand::buildReadOnly()
{
    m_readOnly->setObjectName(u"bandReadOnly"_s);
    m_readOnly->setFrameShape(QFrame::Box);
    m_readOnly->setAccessibleName(tr("read-only"));
    QLabel *lock = plainLabel({}, m_readOnly);
    lock->setObjectName(u"bandLock"_s);
    auto *row = new QHBoxLayout(m_readOnly);
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(lock);
    row->addWidget(plainLabel(tr("read-only"), m_readOnly));
    m_readOnly->hide();
}

void ConnectionBand::setKiosk(bool kiosk)
{
    m_kiosk = kiosk;
    sync();
}

void ConnectionBand::sync()
{
    const sql::ConnectionSettings &settings = m_connection->settings();
    const sql::ServerFacts &facts = m_connection->facts();
    const bool present = m_connection->database() != nullptr;
    // What may be changed and nobody marked may be production.
    const bool unmarked = acts() && settings.environment == sql::Environment::Unmarked;
    const QString environment = (unmarked ? notMarkedText() : models::environmentLabel(settings.environment)).toUpper();
    m_environment->setText(environment);
    m_environment->setToolTip(
        unmarked ? tr("Mark the connection as production, staging or development where it is saved.") : QString());
    m_environment->setVisible(present && !environment.isEmpty());
    QString title = present ? m_connection->title() : tr("Not connected");
    // A name that was made up says the same.
    if (present && !settings.name.isEmpty() && settings.name != title
        && settings.name != models::conninfoSummary(settings.conninfo)) {
        title = settings.name + u" · "_s + title;
    }
    m_title->setText(models::displayText(title, 120));
    m_title->setToolTip(m_title->text());
    QStringList parts;
    if (present && m_connection->everConnected()) {
        // First what decides what can be done here: where there is little room, the end is cut.
        // Without the console's own schema in the database nothing is ever changed (DESIGN 4).
        if (m_actions) {
            parts += m_actionSeconds == 0 ? tr("actions allowed")
                                          : tr("actions allowed, %1:%2 left")
                                                .arg(m_actionSeconds / 60)
                                                .arg(m_actionSeconds % 60, 2, 10, QChar(u'0'));
        } else if (m_approves) {
            parts += tr("you may approve");
        }
        if (!m_acting.isEmpty()) {
            parts += tr("reads from a standby, acts on %1").arg(m_acting);
        }
        parts += models::serverWords(facts);
        if (settings.unverifiedPassword && !facts.serverVerified) {
            parts += tr("password allowed to an unverified server");
        }
        if (facts.pooled) {
            parts += tr("through a pooler");
        }
    }
    m_facts->setText(models::displayText(parts.join(u" · "_s), 200));
    m_facts->setToolTip(models::displayText(
        facts.tls.isEmpty() ? parts.join(u" · "_s) : parts.join(u" · "_s) + u'\n' + facts.tls, 400));
    const sql::LinkState state = m_connection->state();
    QString stateText = state == sql::LinkState::Connected ? QString() : models::linkStateLabel(state);
    const bool waiting = state == sql::LinkState::Reconnecting && m_connection->retryInMs() > 0;
    if (waiting) {
        stateText = tr("Connection lost. Next try in %n second(s).", nullptr, (m_connection->retryInMs() + 999) / 1000);
    }
    m_state->setText(present ? stateText : QString());
    m_retry->setVisible(!m_kiosk && present && (waiting || state == sql::LinkState::Failed));
    m_change->setVisible(!m_kiosk);
    m_readOnly->setVisible(present && m_connection->everConnected() && !m_actions && !m_approves);
    syncColors();
}

bool ConnectionBand::acts() const
{
    return m_connection->database() != nullptr && m_connection->everConnected() && m_actions;
}

void ConnectionBand::syncColors()
{
    const bool present = m_connection->database() != nullptr;
    const auto token = present ? tokenOf(m_connection->settings().environment) : std::nullopt;
    QPalette colors;
    colors.setColor(QPalette::Window,
        token        ? themeColor(*token)
            : acts() ? notMarkedGround()
                     : mixed(themeColor(Token::Window), themeColor(Token::Text), 0.06));
    const QColor text = token ? themeColor(Token::OnEnvironment) : themeColor(Token::Text);
    for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::ButtonText, QPalette::Text }) {
        colors.setColor(role, text);
    }
    setPalette(colors);
    for (QWidget *child : findChildren<QWidget *>()) {
        child->setPalette(colors);
    }
    m_readOnly->findChild<QLabel *>(u"bandLock"_s)
        ->setPixmap(themedIcon(u"lock"_s, token ? Token::OnEnvironment : Token::Text).pixmap(14, 14));
}

} // namespace idemdesk::ui
