// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/causes_view.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/retries/cause_controller.h"
#include "models/retries/causes.h"
#include "models/triage/triage_controller.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::CauseModel;

namespace {

constexpr int kCausesHeight = 190; // pixels: a heading and six rows; more scroll

} // namespace

CausesView::CausesView(models::TriageController *triage, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_triage(triage)
    , m_causes(triage->causes())
    , m_notice(new NoticeBar(this))
    , m_table(new QTableView(this))
    , m_meaning(readableLabel(u"causeMeaning"_s, this))
    , m_bound(noteLabel({}, u"causesBound"_s, this))
    , m_keys(new QPushButton(tr("Show keys"), this))
    , m_change(new QPushButton(this))
{
    setObjectName(u"causesView"_s);
    m_notice->setObjectName(u"causesNotice"_s);
    setUpTable(m_table,
        { u"causesTable"_s, tr("Causes of failure"), m_causes->model(), { 220, 110, 110, 104, 150, 150, 150 } },
        settings);
    m_table->setFixedHeight(Theme::scaled(kCausesHeight));
    m_keys->setObjectName(u"causeKeys"_s);
    m_keys->setToolTip(tr("Show the keys with this cause on the page Keys"));
    m_change->setObjectName(u"causeChange"_s);
    auto *column = partColumn(this);
    column->addWidget(m_notice);
    column->addWidget(m_table);
    column->addWidget(m_meaning);
    column->addLayout(barRow({ m_bound, nullptr, m_keys, m_change }));

    connect(m_causes, &models::CauseController::changed, this, &CausesView::sync);
    connect(m_notice, &NoticeBar::primaryClicked, m_causes, &models::CauseController::read);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CausesView::syncSelected);
    const auto showKeys = [this] {
        const auto *group = m_causes->model()->row(current());
        const QString filter = group != nullptr ? models::causeFilter(*group, false) : QString();
        if (!filter.isEmpty()) {
            emit keysWanted(filter);
        }
    };
    connect(m_table, &QTableView::activated, this, showKeys);
    connect(m_keys, &QPushButton::clicked, this, showKeys);
    connect(m_change, &QPushButton::clicked, this, [this] {
        const auto *group = m_causes->model()->row(current());
        const models::TargetEntry &entry = m_triage->target();
        const auto offer = group == nullptr ? models::CauseOffer()
                                            : models::causeOffer(*group, entry.target.profile, entry.target.registered);
        if (offer.verb) {
            emit changeWanted(models::causeFilter(*group, true), *offer.verb);
        }
    });
    sync();
}

void CausesView::activate()
{
    if (isVisible() && !m_causes->loaded() && !m_causes->busy() && !m_causes->error()) {
        m_causes->read();
    }
}

void CausesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    activate();
}

int CausesView::current() const
{
    return m_table->currentIndex().row();
}

void CausesView::sync()
{
    const sql::CausePage &page = m_causes->page();
    if (m_causes->error()) {
        m_notice->showError(*m_causes->error(), tr("Retry"));
    } else if (page.partly) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("Not every key could be looked at."), page.notes.join(u' '));
    } else if (!page.retryNote.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("What a retry gets is not known."), page.retryNote);
    } else {
        m_notice->clear();
    }
    const QString more = page.moreGroups ? u' ' + tr("Rarer causes are left out.") : QString();
    m_bound->setText(m_causes->busy() ? tr("Reading…")
            : m_causes->loaded()      ? models::causesBound(page) + more
                                      : QString());
    if (current() < 0 && m_causes->model()->rowCount() > 0) {
        m_table->selectRow(0);
    }
    syncSelected();
    QMetaObject::invokeMethod(this, &CausesView::activate, Qt::QueuedConnection); // of another table
}

void CausesView::syncSelected()
{
    const sql::CauseGroup *group = m_causes->model()->row(current());
    const bool told = group != nullptr && !models::causeFilter(*group, false).isEmpty();
    m_keys->setEnabled(told);
    m_keys->setToolTip(group == nullptr || told ? QString() : tr("No filter tells these keys from others"));
    m_meaning->setVisible(group != nullptr);
    m_change->setVisible(group != nullptr);
    if (group == nullptr) {
        return;
    }
    const models::TargetEntry &entry = m_triage->target();
    const models::CauseOffer offer = models::causeOffer(*group, entry.target.profile, entry.target.registered);
    const auto meaning = models::causeMeaning(*group);
    QString text = meaning ? models::errorCodeText(group->cause)
        : group->coded     ? tr("The console does not know this code; it is the service's own.")
                           : tr("The rows say this in their message, without a code.");
    text += offer.why.isEmpty() ? QString() : u' ' + offer.why;
    m_meaning->setText(models::displayText(text, models::kToolTipChars));
    m_change->setText(
        tr("%1…").arg(models::verbPhrase(offer.verb.value_or(sql::ActionVerb::Reclassify), int(group->final))));
    m_change->setEnabled(offer.verb.has_value());
    m_change->setToolTip(offer.verb ? tr("These failures pass by themselves, and were stored as final all the same.")
            : offer.why.isEmpty()
            ? tr("Only failures that pass by themselves, by a code the console knows, are offered here.")
            : offer.why);
}

} // namespace idemdesk::ui
