// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/compare_controller.h"

#include "models/async.h"

#include <QFileInfo>

namespace idemdesk::models {

CompareController::CompareController(QObject *parent)
    : QObject(parent)
    , m_tree(new JsonDiffModel(this))
    , m_lines(new SideBySideModel(this))
{
}

CompareController::~CompareController()
{
    stop(&m_comparing);
    for (Side &side : m_sides) {
        stop(&side.reading);
    }
}

void CompareController::stop(CancelFlag *flag)
{
    if (*flag != nullptr) {
        (*flag)->store(true);
        flag->reset();
    }
}

bool CompareController::busy() const
{
    return m_comparing != nullptr || m_sides[0].reading != nullptr || m_sides[1].reading != nullptr;
}

void CompareController::setSide(int side, const QString &name, const QByteArray &payload)
{
    Side &set = m_sides[std::size_t(side)];
    stop(&set.reading);
    if (payload.size() > JsonSource::kMostBytes) {
        m_error = tooLargeError(name);
        emit changed();
        return;
    }
    set = { name, payload, true, nullptr };
    show(nullptr); // it was of another payload
    compare();
}

void CompareController::openFile(int side, const QString &path)
{
    CancelFlag &reading = m_sides[std::size_t(side)].reading;
    stop(&reading);
    m_error.reset();
    const CancelFlag mine = std::make_shared<std::atomic_bool>(false);
    reading = mine;
    whenDone(
        payloadFileLater(path, mine), this, [this, side, path, mine](const sql::Result<QByteArray> &read) {
            CancelFlag &current = m_sides[std::size_t(side)].reading;
            if (current != mine) {
                return;
            }
            current.reset();
            if (read) {
                setSide(side, QFileInfo(path).fileName(), *read);
                return;
            }
            m_error = read.error();
            emit changed();
        });
    emit changed();
}

void CompareController::swap()
{
    for (Side &side : m_sides) {
        stop(&side.reading); // it would end on the other side
    }
    std::swap(m_sides[0], m_sides[1]);
    show(nullptr);
    compare();
}

void CompareController::clear()
{
    cancel();
    m_sides = {};
    m_input.fingerprint.clear();
    m_input.parts = {};
    m_input.origin = PayloadOrigin::Unknown;
    m_error.reset();
    show(nullptr);
    emit changed();
}

bool CompareController::setIgnore(const QStringList &pointers)
{
    if (const auto rules = ignoreRules(pointers); !rules) {
        m_error = rules.error();
        emit changed();
        return false;
    }
    m_input.ignore = pointers;
    compare();
    return true;
}

void CompareController::setFingerprint(const QString &stored, const RequestParts &parts, PayloadOrigin origin)
{
    m_input.fingerprint = stored;
    m_input.parts = parts;
    m_input.origin = origin;
    compare();
}

void CompareController::cancel()
{
    if (busy()) {
        stop(&m_comparing);
        for (Side &side : m_sides) {
            stop(&side.reading);
        }
        emit changed();
    }
}

void CompareController::compare()
{
    stop(&m_comparing);
    m_error.reset();
    if (has(0) && has(1)) {
        start();
    }
    emit changed();
}

void CompareController::start()
{
    CompareInput input = m_input;
    input.a = m_sides[0].payload;
    input.b = m_sides[1].payload;
    input.nameA = m_sides[0].name;
    input.nameB = m_sides[1].name;
    const CancelFlag mine = std::make_shared<std::atomic_bool>(false);
    m_comparing = mine;
    whenDone(comparePayloadsLater(input, mine), this,
        [this, mine](const sql::Result<std::shared_ptr<const Comparison>> &result) {
            if (m_comparing != mine) {
                return;
            }
            m_comparing.reset();
            if (result) {
                show(*result);
            } else {
                m_error = result.error();
            }
            emit changed();
        });
}

void CompareController::show(std::shared_ptr<const Comparison> comparison)
{
    m_comparison = std::move(comparison);
    m_tree->setComparison(m_comparison);
    m_lines->setComparison(m_comparison);
}

} // namespace idemdesk::models

#include "moc_compare_controller.cpp"
