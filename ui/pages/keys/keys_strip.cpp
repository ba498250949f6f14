// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/keys_strip.h"

#include "models/keys/key_browser.h"
#include "models/keys/key_table_model.h"
#include "models/keys/spread_controller.h"
#include "ui/charts/heat_map.h"
#include "ui/charts/time_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QDateTime>
#include <QGridLayout>
#include <QLocale>
#include <QToolButton>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// "30 Oct UTC", or with the time of day where it is not midnight.
QString edgeText(const sql::Timestamp &at, const models::TimeFormat &format)
{
    if (!at.finite()) {
        return format.text(at);
    }
    const QDateTime local = at.toDateTime().toTimeZone(format.zone());
    const bool midnight = local.time() == QTime(0, 0);
    return QLocale().toString(local, midnight ? u"d MMM"_s : u"d MMM HH:mm"_s) + u' ' + format.zoneText();
}

/// One a week, at the midnight before Monday; none where the whole is not much longer.
QList<TimeBars::Tick> weekTicks(
    const sql::Timestamp &since, const sql::Timestamp &end, const models::TimeFormat &format)
{
    constexpr int kWeek = 7;
    QList<TimeBars::Tick> ticks;
    if (!since.finite() || !end.finite() || end.micros - since.micros < 2 * kWeek * 86'400 * sql::kMicros) {
        return ticks;
    }
    const QDate first = since.toDateTime().toTimeZone(format.zone()).date();
    QDate day = first.addDays((kWeek + 1 - first.dayOfWeek()) % kWeek);
    while (true) {
        const qint64 micros = day.startOfDay(format.zone()).toMSecsSinceEpoch() * 1'000;
        if (micros >= end.micros) {
            return ticks;
        }
        const double at = double(micros - since.micros) / double(end.micros - since.micros);
        ticks += { at, QLocale().toString(day, u"d MMM"_s) };
        day = day.addDays(kWeek);
    }
}

} // namespace

KeysStrip::KeysStrip(models::KeyBrowserController *browser, models::KeySpreadController *spread, QWidget *parent)
    : QWidget(parent)
    , m_browser(browser)
    , m_spread(spread)
    , m_grid(new QGridLayout(this))
    , m_head(barRow({}))
    , m_note(plainLabel({}, this))
    , m_whole(new QToolButton(this))
    , m_bars(new TimeBars(this))
    , m_cells(new HeatMap(tr("Keys by scope and age"), tr("Age"), this))
{
    setObjectName(u"keysStrip"_s);
    m_note->setObjectName(u"keysStripNote"_s);
    m_note->setMinimumWidth(1); // a long reason is cut; its tooltip has the whole
    m_whole->setObjectName(u"keysStripWhole"_s);
    m_whole->setText(tr("All times"));
    m_whole->setToolTip(tr("Take the time out of the filter"));
    m_head->addWidget(m_note, 1);
    m_head->addWidget(m_whole);
    m_cells->setTroubleTitle(tr("more stuck or failed than elsewhere"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6 * kGrid);
    m_grid->setVerticalSpacing(0);
    m_grid->addLayout(m_head, 0, 0);
    arrange();
    connect(m_spread, &models::KeySpreadController::changed, this, &KeysStrip::sync);
    connect(m_whole, &QToolButton::clicked, this, [this] { emit filterWanted(m_spread->wholeFilter()); });
    connect(m_bars, &TimeBars::rangeChosen, this,
        [this](int first, int last) { emit filterWanted(m_spread->rangeFilter(first, last)); });
    connect(m_cells, &HeatMap::chosen, this,
        [this](int scope, int age) { emit filterWanted(m_spread->cellFilter(scope, age)); });
    sync();
}

void KeysStrip::setDimmed(bool dimmed)
{
    m_bars->setDimmed(dimmed);
    m_cells->setDimmed(dimmed);
    QPalette colors;
    if (dimmed) {
        colors.setColor(QPalette::WindowText, themeColor(Token::MutedText));
    }
    m_note->setPalette(colors);
}

void KeysStrip::setFolded(bool folded)
{
    if (std::exchange(m_folded, folded) != folded) {
        sync();
    }
}

void KeysStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// Beside each other; one below the other where the cells' headings need the width; or the bars alone, in the line of
/// their note.
void KeysStrip::arrange()
{
    const int cells = m_cells->sizeHint().width();
    const bool beside = !m_folded && width() >= cells + m_bars->sizeHint().width() * 3 / 4;
    const std::pair<int, int> now { m_folded ? 0 : beside ? 1 : 2, cells };
    if (std::exchange(m_arranged, now) == now) {
        return;
    }
    m_bars->setPlain(m_folded);
    m_grid->removeWidget(m_bars);
    m_grid->removeWidget(m_cells);
    m_grid->addWidget(m_bars, m_folded ? 0 : 1, m_folded ? 1 : 0, m_folded ? Qt::AlignVCenter : Qt::AlignTop);
    m_grid->addWidget(m_cells, beside ? 0 : 2, beside ? 1 : 0, beside ? 2 : 1, 1);
    m_grid->setColumnStretch(0, m_folded ? 1 : 3);
    m_grid->setColumnStretch(1, beside || m_folded ? 2 : 0);
    m_grid->setColumnMinimumWidth(1, beside ? cells : 0);
}

void KeysStrip::sync()
{
    const QString note = m_spread->noteText();
    m_note->setText(note);
    m_note->setToolTip(note);
    // That nothing matches says the list in its place.
    m_note->setVisible(!(m_spread->spread() && m_spread->spread()->exact() && m_spread->spread()->looked == 0));
    m_whole->setVisible(m_browser->hasTarget() && m_spread->narrowed());
    fillBars();
    fillCells();
    // Where there is nothing to draw the reason is enough; while it is counted the list does not jump.
    const bool nothing = m_spread->answered() && !m_spread->told();
    m_bars->setHidden(nothing);
    m_cells->setHidden(nothing || m_folded);
    arrange();
}

void KeysStrip::fillBars()
{
    if (!m_spread->told()) {
        m_bars->setTicks({});
        m_bars->setBars({}, {}, false, true, {});
        return;
    }
    const sql::KeySpread &spread = *m_spread->spread();
    const models::TimeFormat &format = m_browser->model()->timeFormat();
    const sql::Timestamp end { sql::Timestamp::Kind::Finite,
        spread.since.micros + spread.buckets.size() * spread.bucketSeconds * sql::kMicros };
    const bool fills = end > spread.now;
    const QString now = m_folded ? tr("now") : tr("now (last bar incomplete)");
    m_bars->setTicks(weekTicks(spread.since, end, format));
    m_bars->setBars(spread.buckets, { edgeText(spread.since, format), fills ? now : edgeText(end, format) }, fills,
        spread.exact(), [this](int first, int last) { return m_spread->bucketText(first, last); });
}

void KeysStrip::fillCells()
{
    HeatMap::Cells cells;
    if (m_spread->told()) {
        cells.sampled = !m_spread->spread()->exact();
        cells.counted = m_spread->spread()->newestCounted ? 1 : 0;
        const QList<sql::SpreadScope> &lines = m_spread->spread()->scopes;
        for (int scope = 0; scope < lines.size(); ++scope) {
            cells.rows += m_spread->scopeName(scope);
            QList<double> row;
            QList<double> ofRow;
            for (const sql::SpreadCount &count : lines.at(scope).ages) {
                row += count.rows;
                ofRow += count.stuck + std::min(count.failed, std::max(0.0, count.rows - count.stuck));
            }
            cells.values += row;
            cells.trouble += ofRow;
        }
        for (int age = 0; age <= int(sql::kSpreadAges.size()); ++age) {
            cells.columns += models::KeySpreadController::ageTitle(age);
        }
    }
    m_cells->setCells(cells, [this](int scope, int age) { return m_spread->cellText(scope, age); });
}

} // namespace idemdesk::ui
