// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/compare_controller.h"

#include <QFileInfo>

namespace idemdesk::models {

CompareController::CompareController(QObject *parent)
    : QObject(parent)
    , m_tree(new JsonDiffModel(this))
    , m_lines(new SideBySideModel(this))
{
    for (const Request *request : { &m_reading[0], &m_reading[1], &m_comparing }) {
        connect(request, &Request::changed, this, &CompareController::changed);
    }
}

CompareController::~CompareController() = default;

void CompareController::stop()
{
    m_comparing.drop();
    for (Request &reading : m_reading) {
        reading.drop();
    }
}

bool CompareController::busy() const
{
    return m_comparing.busy() || m_reading[0].busy() || m_reading[1].busy();
}

void CompareController::setSide(int side, const QString &name, const QByteArray &payload)
{
    m_reading[std::size_t(side)].drop();
    if (payload.size() > JsonSource::kMostBytes) {
        m_error = tooLargeError(name);
        emit changed();
        return;
    }
    m_sides[std::size_t(side)] = { name, payload, true };
    show(nullptr); // it was of another payload
    compare();
}

void CompareController::openFile(int side, const QString &path)
{
    m_error.reset();
    const CancelFlag stopped = std::make_shared<std::atomic_bool>(false);
    m_reading[std::size_t(side)].follow(
        payloadFileLater(path, stopped), [stopped] { stopped->store(true); },
        [this, side, path](const sql::Result<QByteArray> &read) {
            if (read) {
                setSide(side, QFileInfo(path).fileName(), *read);
            } else {
                m_error = read.error();
            }
        });
}

void CompareController::swap()
{
    for (Request &reading : m_reading) {
        reading.drop(); // it would end on the other side
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
        stop();
        emit changed();
    }
}

void CompareController::compare()
{
    m_comparing.drop();
    m_error.reset();
    if (has(0) && has(1)) {
        start();
    } else {
        emit changed();
    }
}

void CompareController::start()
{
    CompareInput input = m_input;
    input.a = m_sides[0].payload;
    input.b = m_sides[1].payload;
    input.nameA = m_sides[0].name;
    input.nameB = m_sides[1].name;
    const CancelFlag stopped = std::make_shared<std::atomic_bool>(false);
    m_comparing.follow(
        comparePayloadsLater(input, stopped), [stopped] { stopped->store(true); },
        [this](const sql::Result<std::shared_ptr<const Comparison>> &result) {
            if (result) {
                show(*result);
            } else {
                m_error = result.error();
            }
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
