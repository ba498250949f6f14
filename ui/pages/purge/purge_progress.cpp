// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/purge/purge_progress.h"

#include "models/actions/action_center.h"
#include "ui/charts/sparkline.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qsizetype kMostRates = 120; // of the line behind the throughput
constexpr qsizetype kLeastRates = 5; // fewer are no line
constexpr double kWordsPart = 0.64; // of the width, left of the line; more where the figure needs it
constexpr int kLeastLine = 12 * kGrid; // pixels; a shorter line tells nothing

} // namespace

PurgeProgress::PurgeProgress(models::ActionCenter *center, QWidget *parent)
    : QWidget(parent)
    , m_center(center)
{
    setObjectName(u"purgeProgress"_s);
    setAccessibleName(tr("The purge that runs"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(center, &models::ActionCenter::runnerChanged, this, &PurgeProgress::sync);
    sync();
}

void PurgeProgress::sync()
{
    using Stage = models::ActionRunner::Stage;
    const models::ActionRunner *runner = m_center->runner();
    const bool shown = runner != nullptr && runner->action().verb == sql::ActionVerb::Purge
        && runner->stage() != Stage::Idle && runner->stage() != Stage::Asking && runner->stage() != Stage::Starting;
    setVisible(shown);
    if (!shown) {
        return;
    }
    if (m_action != runner->action().id) {
        m_action = runner->action().id;
        m_rates.clear();
    }
    if (!runner->active()) {
        m_rates.clear(); // what happened is told in rows
    } else if (runner->rowsPerSecond() > 0) {
        m_rates += runner->rowsPerSecond();
        m_rates = m_rates.sliced(std::max<qsizetype>(0, m_rates.size() - kMostRates));
    }
    m_figures = models::purgeFigures(*runner);
    QStringList texts;
    for (const models::PurgeFigure &figure : std::as_const(m_figures)) {
        texts += u"%1: %2 %3"_s.arg(figure.title, figure.figure, figure.note).trimmed();
    }
    setAccessibleDescription(texts.join(u"; "_s));
    update();
}

QSize PurgeProgress::sizeHint() const
{
    return { 600, QFontMetrics(Theme::display()).height() + 2 * fontMetrics().height() + 6 * kGrid };
}

void PurgeProgress::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int count = std::max(1, int(m_figures.size()));
    const int step = width() + 2 * kGrid; // of all of them, with the gap after the last
    for (int i = 0; i < m_figures.size(); ++i) {
        const int left = i * step / count;
        const int right = (i + 1) * step / count - 2 * kGrid;
        paintFigure(&painter, m_figures.at(i), { left, 0, right - left, height() }, i == 0);
    }
}

void PurgeProgress::paintFigure(
    QPainter *painter, const models::PurgeFigure &figure, const QRect &place, bool first) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const Token edge = figure.holdsOff ? Token::Warning : Token::Border;
    drawPanel(painter, place, themeColor(Token::Base), themeColor(edge), kRadius);
    const QRect area = place.adjusted(3 * kGrid, 2 * kGrid, -3 * kGrid, -2 * kGrid);
    const int line = fontMetrics().height();
    // The line takes what the figure leaves.
    const double words
        = std::max(area.width() * kWordsPart, QFontMetrics(Theme::display()).horizontalAdvance(figure.figure) + 1.0);
    const bool drawn = first && m_rates.size() > kLeastRates && area.width() - words > kLeastLine;
    if (drawn) {
        paintSparkline(
            painter, QRectF(area).adjusted(words + 2 * kGrid, line, 0, -line), m_rates, themeColor(Token::Accent));
    }
    painter->setFont(font());
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(area, Qt::AlignTop | Qt::AlignLeft, figure.title);
    painter->setPen(themeColor(figure.holdsOff ? Token::Warning : Token::MutedText));
    painter->drawText(
        area, Qt::AlignBottom | Qt::AlignLeft, fontMetrics().elidedText(figure.note, Qt::ElideRight, area.width()));
    painter->setFont(Theme::display());
    painter->setPen(themeColor(Token::Text));
    painter->drawText(area.adjusted(0, line, 0, -line), Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(Theme::display()).elidedText(figure.figure, Qt::ElideRight, drawn ? int(words) : area.width()));
    painter->restore();
}

} // namespace idemdesk::ui
