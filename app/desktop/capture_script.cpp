// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_script.h"

#include "models/keys/private_file.h"

#include <QBuffer>
#include <QPixmap>
#include <QWidget>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kPollMs = 40;
constexpr int kSettleMs = 250; // for layouts, hover states and the last repaint
constexpr qint64 kLimitMs = 20'000;

} // namespace

CaptureScript::CaptureScript(QString folder, QObject *parent)
    : QObject(parent)
    , m_folder(std::move(folder))
{
    m_timer.setSingleShot(true);
}

void CaptureScript::start()
{
    QTimer::singleShot(0, this, &CaptureScript::next);
}

void CaptureScript::next()
{
    ++m_at;
    if (m_at >= m_stops.size()) {
        emit finished();
        return;
    }
    m_since.start();
    if (m_stops[m_at].act) {
        m_stops[m_at].act();
    }
    if (m_stops.at(m_at).atOnce) {
        poll();
        return;
    }
    QTimer::singleShot(kPollMs, this, &CaptureScript::poll);
}

void CaptureScript::poll()
{
    const Stop &stop = m_stops[m_at];
    if (stop.ready && !stop.ready()) {
        if (m_since.elapsed() < kLimitMs) {
            QTimer::singleShot(kPollMs, this, &CaptureScript::poll);
            return;
        }
        const auto named = std::find_if(
            m_stops.cbegin() + m_at, m_stops.cend(), [](const Stop &each) { return !each.name.isEmpty(); });
        const QString next = named == m_stops.cend() ? QString() : named->name;
        m_failures += stop.name.isEmpty() ? tr("What leads to %1 did not come in time.").arg(next)
                                          : tr("%1 did not show what it should.").arg(stop.name);
    }
    QTimer::singleShot(stop.name.isEmpty() || stop.atOnce ? 0 : kSettleMs, this, &CaptureScript::draw);
}

void CaptureScript::draw()
{
    const Stop &stop = m_stops[m_at];
    QWidget *widget = stop.name.isEmpty() || !stop.widget ? nullptr : stop.widget();
    if (widget != nullptr) {
        const QString path = m_folder + u'/' + stop.name + u".png"_s;
        QPixmap picture(widget->size() * stop.scale);
        picture.setDevicePixelRatio(stop.scale);
        widget->render(&picture);
        QBuffer buffer;
        if (buffer.open(QIODevice::WriteOnly) && picture.save(&buffer, "PNG")
            && models::writePrivateFile(path, buffer.data())) {
            m_files += path;
        } else {
            m_failures += tr("%1 could not be written.").arg(path);
        }
    } else if (!stop.name.isEmpty()) {
        m_failures += tr("%1 has nothing to draw.").arg(stop.name);
    }
    next();
}

} // namespace idemdesk::app
