// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page.h"

#include <utility>

namespace idemdesk::ui {

Page::Page(Face face, QWidget *parent)
    : QWidget(parent)
    , m_face(std::move(face))
{
}

void Page::setTimeFormat(const models::TimeFormat &)
{
}

} // namespace idemdesk::ui
