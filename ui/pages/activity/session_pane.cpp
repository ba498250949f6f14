// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/activity/session_pane.h"

#include "models/activity/activity_model.h"
#include "models/format/display_text.h"
#include "models/format/lock_words.h"
#include "ui/delegates/health_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_view.h"

#include <QAbstractTextDocumentLayout>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFactsShare = 2;
constexpr int kStatementShare = 3;
constexpr qsizetype kLongestFact = 120;
constexpr qsizetype kBadgeChars = 40; // of a session that many hold up
constexpr qsizetype kLocksChars = 2'000;

QString factOf(const QString &text)
{
    return text.isEmpty() ? u"–"_s : models::displayText(text, kLongestFact);
}

/// The event as the server names it, the lock that is waited for where it is one of a table, and whose it is.
QString waitOf(const sql::BackendActivity &backend)
{
    QStringList parts;
    if (backend.waitEvent == u"Client: ClientRead") { // the server's word for a session that nobody speaks to
        parts += SessionPane::tr("its client to send the next statement");
    } else if (!backend.waitEvent.isEmpty()) {
        parts += models::displayText(backend.waitEvent, kLongestFact);
    }
    for (sql::SessionLock lock : backend.locks) {
        if (!lock.granted) {
            lock.granted = true; // that it is waited for is said before
            parts += models::displayText(models::lockLabel(lock), kLongestFact);
        }
    }
    QStringList holders;
    for (const int pid : backend.blockedBy) {
        holders += QString::number(pid);
    }
    if (!holders.isEmpty()) {
        parts += SessionPane::tr("held by session %1").arg(models::displayText(holders.join(u", "_s), kLongestFact));
    }
    return parts.isEmpty() ? u"–"_s : parts.join(u'\n');
}

} // namespace

using models::ActivityModel;

SessionPane::SessionPane(QWidget *parent)
    : QStackedWidget(parent)
    , m_choose(new EmptyState(this))
    , m_detail(new QWidget(this))
    , m_title(strongLabel({}, m_detail))
    , m_standing(new BadgeView(u"activityStanding"_s, m_detail))
    , m_cancel(new QPushButton(tr("&Cancel statement…"), m_detail))
    , m_terminate(new QPushButton(tr("E&nd session…"), m_detail))
    , m_locks(readableLabel(u"activityLocks"_s, m_detail))
    , m_statement(new QPlainTextEdit(m_detail))
{
    setObjectName(u"activityPane"_s);
    m_title->setObjectName(u"activitySession"_s);
    m_cancel->setObjectName(u"activityCancel"_s);
    m_terminate->setObjectName(u"activityTerminate"_s);
    m_locks->setAccessibleName(tr("Locks"));
    setUpCode(m_statement, u"activityStatement"_s, tr("Statement of the selected session"));
    m_statement->document()->setDocumentMargin(kCellPadding);
    connect(m_statement->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
        &SessionPane::fitStatement);
    m_statement->setPlaceholderText(tr("The server tells no statement of this session."));
    m_choose->setCompact(true);
    auto *column = lowerColumn(m_detail);
    column->setSpacing(2 * kGrid);
    column->addWidget(buildHead(m_detail));
    auto *body = barRow({});
    body->setSpacing(4 * kGrid);
    body->addWidget(buildFacts(m_detail), kFactsShare);
    auto *statement = new QVBoxLayout;
    statement->addWidget(m_statement, 1);
    statement->addStretch();
    body->addLayout(statement, kStatementShare);
    column->addLayout(body, 1);
    addWidget(m_choose);
    addWidget(m_detail);
    showChoice(0);
}

/// A frame around much more than the statement would look like one that was cut. A longer one takes the room there is,
/// and scrolls.
void SessionPane::fitStatement()
{
    const int lines = std::max(3, int(m_statement->document()->size().height())); // which a plain text counts
    m_statement->setMaximumHeight(
        lines * m_statement->fontMetrics().lineSpacing() + 2 * kCellPadding + 2 * m_statement->frameWidth() + kGrid);
}

void SessionPane::resizeEvent(QResizeEvent *event)
{
    QStackedWidget::resizeEvent(event);
    fitStatement();
}

QWidget *SessionPane::buildHead(QWidget *parent)
{
    auto *head = new QWidget(parent);
    barRow({ m_title, m_standing, nullptr, m_cancel, m_terminate }, head);
    return head;
}

/// They scroll by themselves: a session may hold many locks.
QWidget *SessionPane::buildFacts(QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setObjectName(u"activityFacts"_s);
    area->setAccessibleName(tr("What is known of the selected session"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *facts = new QWidget(area);
    auto *form = new QFormLayout(facts);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(4 * kGrid);
    form->setVerticalSpacing(kGrid + 2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_state = addFact(form, tr("State"));
    m_transaction = addFact(form, tr("In transaction"));
    m_began = addFact(form, tr("Statement began"));
    m_wait = addFact(form, tr("Waits for"));
    m_user = addFact(form, tr("User"));
    m_application = addFact(form, tr("Application"));
    m_client = addFact(form, tr("Client"));
    auto *name = plainLabel(tr("Locks"), facts);
    name->setForegroundRole(QPalette::PlaceholderText);
    name->setAlignment(Qt::AlignLeft | Qt::AlignTop); // by the first of them
    form->addRow(name, m_locks);
    area->setWidget(facts);
    return area;
}

QLabel *SessionPane::addFact(QFormLayout *form, const QString &name)
{
    auto *title = plainLabel(name, form->parentWidget());
    title->setForegroundRole(QPalette::PlaceholderText);
    QLabel *value = wrappedLabel({}, form->parentWidget());
    form->addRow(title, value);
    return value;
}

void SessionPane::showChoice(int gone)
{
    if (gone == 0) {
        m_choose->show(u"activity"_s, tr("Select a session"),
            tr("Its statement and its locks appear here. You can cancel the statement, or end the session."));
    } else {
        m_choose->show(u"done"_s, tr("Session %1 has left the list").arg(gone),
            tr("It has ended, or it holds and awaits no lock any more. Select another session."));
    }
}

void SessionPane::showFacts(const ActivityModel &model, const sql::BackendActivity &backend)
{
    const QModelIndex index = model.indexOfPid(backend.pid);
    const auto cell = [&index](int column) { return index.siblingAtColumn(column).data().toString(); };
    const sql::Timestamp &now = model.report().now;
    m_title->setText(tr("Session %1").arg(backend.pid));
    const QString standing = models::displayText(cell(ActivityModel::Standing), kBadgeChars);
    const int level = index.siblingAtColumn(ActivityModel::Standing).data(models::LevelRole).toInt();
    m_standing->setBadge(healthBadge(static_cast<sql::HealthLevel>(level), standing));
    m_state->setText(factOf(cell(ActivityModel::State)));
    m_transaction->setText(factOf(cell(ActivityModel::Transaction)));
    m_began->setText(backend.queryStart ? tr("%1 ago").arg(models::TimeFormat::age(*backend.queryStart, now)) : u"–"_s);
    m_wait->setText(waitOf(backend));
    m_user->setText(factOf(backend.user));
    m_application->setText(factOf(backend.application));
    m_client->setText(factOf(backend.client));
    QStringList locks;
    for (const QString &lock : models::lockLabels(backend.locks)) {
        locks += models::displayText(lock, kLongestFact);
    }
    const QString held = locks.isEmpty() ? tr("none on the tables") : locks.join(u'\n').left(kLocksChars);
    if (held != m_locks->text()) { // a part of it may be selected
        m_locks->setText(held);
    }
    const QString text = models::displayBlock(backend.query);
    if (text != m_statement->toPlainText()) { // it is read, and selected, while the list goes on
        m_statement->setPlainText(text);
    }
}

void SessionPane::showSession(const ActivityModel &model, const sql::BackendActivity *backend, int gone)
{
    if (backend == nullptr) {
        showChoice(gone);
        m_statement->clear();
        setCurrentWidget(m_choose);
        return;
    }
    showFacts(model, *backend);
    setCurrentWidget(m_detail);
}

} // namespace idemdesk::ui
