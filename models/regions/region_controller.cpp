// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_controller.h"

#include "models/background.h"
#include "models/regions/compensation.h"
#include "models/report/write_later.h"

namespace idemdesk::models {

RegionController::RegionController(QObject *parent)
    : QObject(parent)
    , m_list(new RegionList(this))
    , m_detail(new RegionDetail(this))
{
}

RegionController::~RegionController() = default;

void RegionController::clear(Stage stage)
{
    m_outcome.reset();
    m_error.reset();
    m_list->clear();
    m_detail->setSides({}, {});
    m_stage = stage;
}

void RegionController::compare(const std::array<CompareSide, 2> &sides, const CompareRequest &request)
{
    if (m_compare != nullptr) {
        m_compare->disconnect(this);
        m_compare->cancel();
    }
    m_sides = sides;
    clear(Stage::Running);
    m_compare = std::make_unique<RegionCompare>(sides, request);
    connect(m_compare.get(), &RegionCompare::phaseChanged, this, [this](RegionCompare::Phase phase) {
        m_phase = phase;
        emit changed();
    });
    connect(m_compare.get(), &RegionCompare::finished, this, &RegionController::finish);
    m_compare->start();
}

void RegionController::finish(const sql::Result<CompareOutcome> &outcome)
{
    m_compare.release()->deleteLater(); // it is the one that tells
    if (outcome) {
        m_stage = Stage::Done;
        m_outcome = *outcome;
        m_detail->setSides({ m_sides[0].database, m_sides[1].database }, outcome->targets);
        m_list->setDifferences(outcome->differences, labels()); // whoever hears of them shows the first one at once
    } else {
        const bool cancelled = outcome.error().kind == sql::ErrorKind::Cancelled;
        m_stage = cancelled ? Stage::Cancelled : Stage::Failed;
        m_error = outcome.error();
    }
    emit changed();
}

void RegionController::cancel()
{
    if (m_compare != nullptr) {
        m_compare->cancel();
    }
}

void RegionController::forget()
{
    m_compare.reset();
    m_sides = {};
    clear(Stage::Nothing);
    emit changed();
}

void RegionController::writeCompensation(const QString &path)
{
    if (!m_outcome) {
        return; // forgotten meanwhile
    }
    writeLater(this,
        [list = compensationOf(*m_outcome, labels(), QDateTime::currentDateTimeUtc()), path]() -> sql::Result<QString> {
            TRY(models::writeCompensation(list, path));
            return path;
        });
}

} // namespace idemdesk::models

#include "moc_region_controller.cpp"
